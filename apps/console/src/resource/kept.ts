/** Lists that the browser keeps for the user of the page, who belongs to one silo. */
import { pageUser } from '#/api/session.ts'
import { createListeners, type Store } from '#/lib/store.ts'

const lists = ['recent', 'favourites', 'drafts', 'refusals'] as const
export type ListName = (typeof lists)[number]
/** The next person at this browser may be another one: those are forgotten with the session. */
const ofSession: readonly ListName[] = ['recent', 'drafts', 'refusals']
let isSignedOut = false

const keyOf = (name: ListName) => `purlin-${name}:${pageUser()}`

/** Undefined if nothing is kept, or it cannot be read. Entries that the console did not write are left out. */
export function readKept<T>(name: ListName, isOne: (kept: unknown) => kept is T): T[] | undefined {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(keyOf(name)) ?? 'null')
    return Array.isArray(kept) ? kept.filter(isOne) : undefined
  } catch {
    return undefined
  }
}

/** Keeps a list, unless the user has signed out or is not known yet. */
export function writeKept(name: ListName, list: readonly unknown[]): void {
  if (isSignedOut || pageUser() === undefined) return
  try {
    localStorage.setItem(keyOf(name), JSON.stringify(list))
  } catch {
    // Storage may be forbidden or full; a reload then forgets the list.
  }
}

/** A list that is kept, for the user of the page. */
export interface KeptList<T> extends Pick<Store<readonly T[]>, 'get' | 'subscribe'> {
  change: (next: (kept: readonly T[]) => readonly T[]) => void
}

const none: readonly never[] = []

export function keptList<T>(name: ListName, most: number, isOne: (kept: unknown) => kept is T): KeptList<T> {
  let list: readonly T[] | undefined
  const { subscribe, notify } = createListeners()
  const read = () => readKept(name, isOne)?.slice(0, most)
  const get = () => (list ??= pageUser() === undefined ? undefined : (read() ?? none)) ?? none
  return {
    get,
    subscribe,
    change: (next) => {
      const before = get()
      // Another tab may have changed them.
      const kept = read()
      const after = next(kept ?? before)
      if (after === kept || after === before) return
      list = after.slice(0, most)
      writeKept(name, list)
      notify()
    },
  }
}

/** Forgets what belongs to the session, when the user has signed out. The page, which is left, keeps nothing any more. */
export function forgetWithSession(): void {
  isSignedOut = true
  try {
    for (const name of ofSession) localStorage.removeItem(keyOf(name))
  } catch {
    // Storage that is forbidden has nothing.
  }
}
