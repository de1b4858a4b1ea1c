import { useRouterState } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import type { Scope } from '#/lib/addresses.ts'
import { matchesLoosely } from '#/lib/text.ts'
import { useStore } from '#/lib/store.ts'
import { foundActionStore, quickActionStore, type QuickAction } from '#/resource/actions/quickActions.ts'
import { loadActs, type ActsFile } from '#/resource/acts/acts.ts'
import { closePalette } from '#/resource/address/palette.ts'
import { favouriteStore, recentStore } from '#/resource/address/recent.ts'
import { useFound, type FoundItem } from '#/resource/address/search.ts'
import { useDebounced } from '#/resource/list/useDebounced.ts'
import { useQueryPlaces } from '#/resource/list/query/useQueryPlaces.ts'
import { ViewPlaces } from '#/resource/list/views/ViewPlaces.tsx'
import { usePath } from '#/ui/layout/path.ts'
import { CommandPalette } from '#/ui/palette/CommandPalette.tsx'

// Kept for the next time that the palette opens.
let file: ActsFile | undefined

/** The actions on what is found, loaded after the palette; undefined until then, null if they cannot be. */
function useActsFile(): ActsFile | null | undefined {
  const [acts, setActs] = useState<ActsFile | null | undefined>(file)
  useEffect(() => {
    const keep = (loaded: ActsFile) => {
      file = loaded
      setActs(loaded)
    }
    loadActs().then(keep, () => setActs(null))
  }, [])
  return acts
}

/** Those with the name itself come first, then those of the project that is shown. */
function nearestFirst(found: readonly FoundItem[], text: string, project: string | undefined): FoundItem[] {
  const isHere = ({ kind, name, scope }: FoundItem) => (kind === 'project' ? name : scope.project) === project
  const rank = (one: FoundItem) => (one.name === text ? 0 : 2) + (isHere(one) ? 0 : 1)
  return found.toSorted((a, b) => rank(a) - rank(b))
}

/** The palette, with the actions of the current page and what is found by what is typed. */
export function OpenPalette() {
  const here = usePath()
  const actions = useStore(quickActionStore)
  const item = ({ href, onAction, ...action }: QuickAction) => {
    const entry = { id: `${action.group} ${action.label} ${href ?? ''}`, ...action }
    if (href === undefined) return { ...entry, onAction: () => onAction?.() }
    return { ...entry, href, ...(onAction ? { onFollow: onAction } : {}) }
  }
  const [text, setText] = useState('')
  const asked = useDebounced(text)
  const acts = useActsFile()
  const act = acts?.readAct(asked)
  // Several words may be an action, which is searched for in another way.
  const isHeld = acts === undefined && asked.includes(' ')
  const name = act?.object ?? { text: isHeld ? '' : asked }
  const { items, isSearching, isOld } = useFound(name, act?.given !== undefined)
  const { project }: Scope = useRouterState({ select: (state) => state.matches.at(-1)?.params ?? {} })
  const found = nearestFirst(items, name.text, project)
  const foundActs = useStore(foundActionStore)
  const places = useQueryPlaces(text)
  const favourites = useStore(favouriteStore).map((place) => ({ ...place, group: 'Favourites' }))
  const recent = useStore(recentStore).map((place) => ({ ...place, group: 'Recent' }))
  const leadsAway = ({ href }: { href?: string }) => href !== here
  const local = actions.filter(leadsAway).map(item)
  const starred = favourites.filter(leadsAway)
  const before = recent
    .filter(leadsAway)
    .filter(({ href }) => ![...actions, ...starred].some((other) => other.href === href))
  return (
    <>
      <ViewPlaces />
      {acts && act && (
        <acts.FoundActs
          act={act}
          found={found.filter(({ name }) => !isOld || matchesLoosely(name, act.object.text))}
        />
      )}
      <CommandPalette
        items={[...local, ...starred, ...before]}
        found={[...foundActs.map(item), ...places, ...found]}
        loading={isSearching || isHeld || text.trim() !== asked}
        onQuery={setText}
        onDismiss={closePalette}
      />
    </>
  )
}
