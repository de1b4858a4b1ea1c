import { useState } from 'react'
import { useStore } from '#/lib/store.ts'
import { quickActionStore, type QuickAction } from '#/resource/actions/quickActions.ts'
import { closePalette } from '#/resource/address/palette.ts'
import { favouriteStore, recentStore } from '#/resource/address/recent.ts'
import { useFound } from '#/resource/address/search.ts'
import { useQueryPlaces } from '#/resource/list/query/useQueryPlaces.ts'
import { ViewPlaces } from '#/resource/list/views/ViewPlaces.tsx'
import { usePath } from '#/ui/layout/path.ts'
import { CommandPalette } from '#/ui/palette/CommandPalette.tsx'

/** The palette, with the actions of the current page and what is found by what is typed. */
export function OpenPalette() {
  const here = usePath()
  const actions = useStore(quickActionStore)
  const item = ({ href, onAction, ...action }: QuickAction) => {
    const entry = { ...action, id: `${action.group} ${action.label} ${href ?? ''}` }
    if (href === undefined) return { ...entry, onAction: () => onAction?.() }
    return { ...entry, href, ...(onAction ? { onFollow: onAction } : {}) }
  }
  const [text, setText] = useState('')
  const { items: found, isSearching } = useFound(text)
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
      <CommandPalette
        items={[...local, ...starred, ...before]}
        found={[...places, ...found]}
        loading={isSearching}
        onQuery={setText}
        onDismiss={closePalette}
      />
    </>
  )
}
