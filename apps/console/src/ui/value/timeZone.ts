const KEY = 'purlin-zone'

/** Which clock times are shown by: the browser's own, or UTC. */
export type ZoneChoice = 'local' | 'utc'

const listeners = new Set<() => void>()
const read = (): ZoneChoice => {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}
let choice: ZoneChoice | undefined

/** The store of the zone choice, kept per browser; for useSyncExternalStore. */
export const zoneStore = {
  get: (): ZoneChoice => (choice ??= read()),
  set: (next: ZoneChoice): void => {
    choice = next
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => listeners.delete(listener)
  },
}
