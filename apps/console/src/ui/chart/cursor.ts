import { createContext, useContext, useState } from 'react'
import { createStore, type Store } from '#/lib/store.ts'

/** The crosshair that the charts of a page share: its time, and the chart that moved it there. */
export type CursorStore = Store<CursorState>
export interface CursorState {
  /** ms since 1970 */
  time: number | null
  /** the chart under the pointer or with the focus */
  owner: string | null
}

export const noCursor: CursorState = { time: null, owner: null }

/** Makes a crosshair that is not shown yet. */
export function createCursor(): CursorStore {
  const store = createStore(noCursor)
  return {
    ...store,
    set: (next) => {
      const { time, owner } = store.get()
      if (next.time !== time || next.owner !== owner) store.set(next)
    },
  }
}

const SharedCursor = createContext<CursorStore | null>(null)
/** Charts below it share one crosshair. */
export const CursorProvider = SharedCursor.Provider

/** The crosshair that the nearest provider above gives, or one of this chart alone. */
export function useCursorStore(): CursorStore {
  const [own] = useState(createCursor)
  return useContext(SharedCursor) ?? own
}
