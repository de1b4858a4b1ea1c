/** Whether the server can be reached, as far as the console knows. */
import { createStore } from '#/lib/store.ts'

/** `lost`: nothing answers, and what is on screen may be out of date. `offline`: this computer has no network. */
export type Connection = 'unknown' | 'there' | 'lost' | 'offline' | 'trying'

const store = createStore<Connection>('unknown')

export const connection = {
  ...store,
  /** True while nothing answers. */
  isAway: (): boolean => store.get() !== 'unknown' && store.get() !== 'there',
  /** Called after requests that got no answer. */
  unanswered: (): void => undefined,
}
