/** What the command palette offers: every mounted component may register entries of its own. */
import { useEffect, useId } from 'react'

export interface QuickAction {
  label: string
  group: string
  /** A place to go to, or something to do. */
  href?: string
  onAction?: () => void
}

const sources = new Map<string, readonly QuickAction[]>()
const listeners = new Set<() => void>()
let all: readonly QuickAction[] = []

function set(source: string, actions: readonly QuickAction[] | null): void {
  if (actions) sources.set(source, actions)
  else sources.delete(source)
  // Pages register after layouts and come first.
  all = [...sources.values()].toReversed().flat()
  for (const listener of listeners) listener()
}

export const quickActionStore = {
  get: (): readonly QuickAction[] => all,
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}

/** Offers entries as long as the component is mounted. */
export function useQuickActions(actions: readonly QuickAction[]): void {
  const source = useId()
  const key = JSON.stringify(actions.map(({ label, group, href }) => [label, group, href]))
  useEffect(() => {
    set(source, actions)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- the key says whether the actions differ
  }, [source, key])
  useEffect(() => () => set(source, null), [source])
}
