/** The entries of the command palette: every mounted component may register some. */
import { type ReactNode, useEffect, useId } from 'react'
import { createStore } from '#/lib/store.ts'

export interface QuickAction {
  /** Of an action on a resource: it is listed once. */
  id?: string
  label: string
  /** Shown behind the label. */
  detail?: string
  group: string
  /** An address, an action, or both: what is done when the address is followed here. */
  href?: string
  onAction?: () => void
  /** Of an action on one of many resources: its name. It is listed once the user types the beginning of it. */
  act?: string
  /** Further words that it is found by. */
  words?: string
  /** Why it cannot be done. */
  disabledReason?: ReactNode
  /** Finds such a reason when the entry is chosen. */
  findReason?: () => Promise<string | undefined>
}

/**
 * The level of the entries: those of the page come before those of the layout around it. Those of what was found for the
 * typed text are listed without a further search.
 */
export type QuickActionLevel = 'page' | 'layout' | 'found'

const sources = new Map<string, { level: QuickActionLevel; actions: readonly QuickAction[] }>()
export const quickActionStore = createStore<readonly QuickAction[]>([])
export const foundActionStore = createStore<readonly QuickAction[]>([])

function changed(): void {
  const of = (wanted: QuickActionLevel) =>
    [...sources.values()].filter(({ level }) => level === wanted).flatMap(({ actions }) => actions)
  quickActionStore.set([...of('page'), ...of('layout')])
  foundActionStore.set(of('found'))
}

/** Offers entries as long as the component is mounted. */
export function useQuickActions(actions: readonly QuickAction[], level: QuickActionLevel = 'page'): void {
  const source = useId()
  const key = JSON.stringify(
    actions.map(({ id, label, group, href, disabledReason }) => [
      id,
      label,
      group,
      href,
      Boolean(disabledReason),
    ]),
  )
  useEffect(() => {
    sources.set(source, { level, actions })
    changed()
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says whether the actions differ
  }, [source, level, key])
  useEffect(
    () => () => {
      sources.delete(source)
      changed()
    },
    [source],
  )
}
