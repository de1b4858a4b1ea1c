/** The entries of the command palette: every mounted component may register some. */
import { type ReactNode, useEffect, useId } from 'react'
import { createStore } from '#/lib/store.ts'

export interface QuickAction {
  label: string
  group: string
  /** An address, an action, or both: what is done when the address is followed here. */
  href?: string
  onAction?: () => void
  /** Of an action on one of many resources: its name. It is listed once the user types the beginning of it. */
  act?: string
  /** Why it cannot be done. */
  disabledReason?: ReactNode
}

/** The level of the entries: those of the page come before those of the layout around it. */
export type QuickActionLevel = 'page' | 'layout'

const sources = new Map<string, { level: QuickActionLevel; actions: readonly QuickAction[] }>()
export const quickActionStore = createStore<readonly QuickAction[]>([])

function changed(): void {
  const of = (wanted: QuickActionLevel) =>
    [...sources.values()].filter(({ level }) => level === wanted).flatMap(({ actions }) => actions)
  quickActionStore.set([...of('page'), ...of('layout')])
}

/** Offers entries as long as the component is mounted. */
export function useQuickActions(actions: readonly QuickAction[], level: QuickActionLevel = 'page'): void {
  const source = useId()
  const key = JSON.stringify(
    actions.map(({ label, group, href, disabledReason }) => [label, group, href, Boolean(disabledReason)]),
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
