/** Whether the server can be reached, as far as the console knows. */

/** `lost`: nothing answers, and what is on screen may be out of date. `offline`: this computer has no network. */
export type Connection = 'unknown' | 'there' | 'lost' | 'offline' | 'trying'

let current: Connection = 'unknown'
const listeners = new Set<() => void>()

export const connection = {
  get: (): Connection => current,
  set(next: Connection): void {
    current = next
    for (const listener of listeners) listener()
  },
  /** True while nothing answers. */
  isAway: (): boolean => current !== 'unknown' && current !== 'there',
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Is told of requests that nothing has answered. */
  unanswered: (): void => undefined,
}
