/** When lists ask again because something in them is on its way. */
import { useRef } from 'react'

const seconds = 1000
const often = 3 * seconds
/** ms between looks at a list in which nothing is expected soon. */
export const seldom = 60 * seconds
/** How long a list asks often after something new began to move. */
const fastWindow = 30 * seconds

/** What a list has to remember between two looks. */
export interface Polling {
  /** `id|state` of the rows that were on their way at the last look */
  moving: readonly string[]
  /** ms; when something last began to move */
  since: number
}
/** A list that has not been looked at yet. */
export const unseen: Polling = { moving: [], since: 0 }

/**
 * Looks at what is on its way and says when to ask again, in ms; false if nothing is. What begins to move
 * opens a window of 30 s in which the list asks often, as long as anything moves. Looking twice at the
 * same rows changes nothing.
 */
export function pollAfter(
  last: Polling,
  moving: readonly string[],
  now: number,
): { state: Polling; interval: number | false } {
  const isNews = moving.some((key) => !last.moving.includes(key))
  const since = isNews ? now : last.since
  const state = { moving, since }
  if (moving.length === 0) return { state, interval: false }
  return { state, interval: now - since < fastWindow ? often : seldom }
}

/** The same rule for the query of one row. */
export const ofOne =
  <Row>(poll: (page: { items: Row[] } | undefined) => number | false) =>
  ({ state }: { state: { data?: Row | undefined } }): number | false =>
    poll(state.data && { items: [state.data] })

/** The `refetchInterval` of a list; `movingState` gives the state of a row that is on its way, else nothing. */
export function usePolling<Row extends { id: string }>(
  movingState: (row: Row) => string | undefined,
): (page: { items: Row[] } | undefined) => number | false {
  const last = useRef(unseen)
  return (page) => {
    const moving = (page?.items ?? []).flatMap((row) => {
      const state = movingState(row)
      return state === undefined ? [] : [`${row.id}|${state}`]
    })
    const next = pollAfter(last.current, moving, Date.now())
    last.current = next.state
    return next.interval
  }
}
