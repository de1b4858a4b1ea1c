/** When lists are fetched again because a row is in a transitional state. */
import { useRef } from 'react'
import { ownNow } from '#/lib/clock.ts'

const second = 1000
const fastMs = 3 * second
/** ms between fetches of a list in which no change is expected soon. */
export const slowMs = 60 * second
/** How long a list is polled fast after a row has entered a transitional state. */
const fastWindow = 30 * second

/** The state between two polls. */
export interface Polling {
  /** `id|state` of the rows that were in a transitional state at the last poll */
  transitional: readonly string[]
  /** ms; when a row last entered a transitional state */
  since: number
}
/** A list that has not been fetched yet. */
export const neverPolled: Polling = { transitional: [], since: 0 }

/**
 * The interval until the next fetch in ms, or false if no row is in a transitional state. A row that enters one
 * starts 30 s of fast polling. Calling it twice with the same rows changes nothing.
 */
export function pollAfter(
  last: Polling,
  transitional: readonly string[],
  now: number,
): { state: Polling; interval: number | false } {
  const isNew = transitional.some((key) => !last.transitional.includes(key))
  const since = isNew ? now : last.since
  const state = { transitional, since }
  if (transitional.length === 0) return { state, interval: false }
  return { state, interval: now - since < fastWindow ? fastMs : slowMs }
}

/** The same rule for the query of a single row. */
export const ofOne =
  <Row>(poll: (page: { items: Row[] } | undefined) => number | false) =>
  ({ state }: { state: { data?: Row | undefined } }): number | false =>
    poll(state.data && { items: [state.data] })

/** The `refetchInterval` of a list; `transitionalState` is the transitional state of a row, or undefined. */
export function usePolling<Row extends { id: string }>(
  transitionalState: (row: Row) => string | undefined,
): (page: { items: Row[] } | undefined) => number | false {
  const last = useRef(neverPolled)
  return (page) => {
    const transitional = (page?.items ?? []).flatMap((row) => {
      const state = transitionalState(row)
      return state === undefined ? [] : [`${row.id}|${state}`]
    })
    const next = pollAfter(last.current, transitional, ownNow())
    last.current = next.state
    return next.interval
  }
}
