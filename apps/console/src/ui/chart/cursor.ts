import { createContext, useContext, useState, useSyncExternalStore } from 'react'

/** The crosshair that the charts of a page share: its time, and the chart that moved it there. */
export interface CursorStore {
  get: () => CursorState
  set: (next: CursorState) => void
  subscribe: (listener: () => void) => () => void
}
export interface CursorState {
  /** ms since 1970 */
  time: number | null
  /** the chart under the pointer or with the focus */
  owner: string | null
}

export const noCursor: CursorState = { time: null, owner: null }

/** Makes a crosshair that is not shown yet. */
export function createCursor(): CursorStore {
  let state = noCursor
  const listeners = new Set<() => void>()
  return {
    get: () => state,
    set: (next) => {
      if (next.time === state.time && next.owner === state.owner) return
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
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
/** The present position of a crosshair. */
export const useCursorState = (store: CursorStore): CursorState =>
  useSyncExternalStore(store.subscribe, store.get)
