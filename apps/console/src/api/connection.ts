/** Whether the server can be reached, as far as the console knows. */

/** `lost`: nothing answers, and what is on screen may be out of date. `offline`: this computer has no network. */
export type Connection = 'unknown' | 'there' | 'lost' | 'offline' | 'trying'

let current: Connection = 'unknown'
const listeners = new Set<() => void>()
const backListeners = new Set<() => void>()
let again = (): void => undefined
let unanswered = (): void => undefined
// Somebody who has asked to try again sees that it is done.
const leastTryingMs = 500
let tryingSince = 0
let later: ReturnType<typeof setTimeout> | undefined

function set(next: Connection): void {
  clearTimeout(later)
  if (next === current) return
  const left = tryingSince + leastTryingMs - performance.now()
  if (current === 'trying' && isAway(next) && left > 0) {
    later = setTimeout(() => set(next), left)
    return
  }
  current = next
  for (const listener of listeners) listener()
}

const isAway = (one: Connection): boolean => one === 'lost' || one === 'offline' || one === 'trying'

export const connection = {
  get: (): Connection => current,
  set,
  /** True while nothing answers. */
  isAway: (): boolean => isAway(current),
  subscribe: (listener: () => void): (() => void) => {
    listeners.add(listener)
    return () => void listeners.delete(listener)
  },
  /** Sets what tries to reach the server at once, and what is told of requests that nothing has answered. */
  on(listener: { retry: () => void; unanswered: () => void }): void {
    again = listener.retry
    unanswered = listener.unanswered
  },
  retry(): void {
    if (current === 'trying') return
    tryingSince = performance.now()
    set('trying')
    again()
  },
  unanswered: (): void => unanswered(),
  /** Calls the listener when something can be read again that could not be read. */
  onBack(listener: () => void): () => void {
    backListeners.add(listener)
    return () => void backListeners.delete(listener)
  },
  isBack(): void {
    for (const listener of backListeners) listener()
  },
}
