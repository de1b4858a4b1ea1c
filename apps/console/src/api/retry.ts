/** Trying to reach the server again: at somebody's request, and what is to be done when it is back. */
import { createListeners } from '#/lib/store.ts'
import { connection, type Connection } from './connection.ts'

// Somebody who has asked to try again sees that it is done.
const leastTryingMs = 500
let tryingSince = 0
let later: ReturnType<typeof setTimeout> | undefined
const back = createListeners()

export const retry = {
  /** What tries to reach the server at once. */
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
  /** Calls the listener when something can be read again that could not be read. */
  onBack: back.subscribe,
  isBack: back.notify,
}
