/** Whether the server can be reached, as far as the stream of events knows. */

/** `lost`: nothing answers, and what is on screen may be out of date. */
export type Connection = 'unknown' | 'there' | 'lost'

let current: Connection = 'unknown'
const listeners = new Set<() => void>()
let again = (): void => undefined

export const connection = {
  get: (): Connection => current,
  set(next: Connection): void {
    if (next === current) return
    current = next
    for (const listener of listeners) listener()
  },
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Sets what tries to reach the server at once. */
  onRetry: (retry: () => void): void => void (again = retry),
  retry: (): void => again(),
}
