import { createStore, type Store } from '#/lib/store.ts'

const KEY = 'purlin-zone'

/** Which clock times are shown by: the browser's own, or UTC. */
export type ZoneChoice = 'local' | 'utc'

const read = (): ZoneChoice => {
  try {
    return localStorage.getItem(KEY) === 'utc' ? 'utc' : 'local'
  } catch {
    return 'local'
  }
}
const choice = createStore(read())

/** The zone choice, kept per browser. */
export const zoneStore: Store<ZoneChoice> = {
  ...choice,
  set: (next) => {
    try {
      localStorage.setItem(KEY, next)
    } catch {
      // Storage may be forbidden; the choice then lasts as long as the page.
    }
    choice.set(next)
  },
}
