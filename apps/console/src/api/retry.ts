/** Retries of the connection: on request, and the work that follows when the server is back. */
import { createListeners } from '#/lib/store.ts'
import { connection, type Connection } from './connection.ts'

// A user who has requested a retry sees that it happens.
const leastTryingMs = 500
let tryingSince = 0
let later: ReturnType<typeof setTimeout> | undefined
const back = createListeners()

export const retry = {
  /** The function that tries to reach the server immediately. */
  try: (): void => undefined,
  /** Tries again, unless it is being tried. */
  now(): void {
    if (connection.get() === 'trying') return
    tryingSince = performance.now()
    connection.set('trying')
    retry.try()
  },
  /** Notes what has been found out. */
  found(next: Exclude<Connection, 'trying'>): void {
    clearTimeout(later)
    const left = tryingSince + leastTryingMs - performance.now()
    if (connection.get() === 'trying' && (next === 'lost' || next === 'offline') && left > 0)
      later = setTimeout(() => connection.set(next), left)
    else connection.set(next)
  },
  /** Calls the listener when failed reads can be repeated. */
  onBack: back.subscribe,
  isBack: back.notify,
}
