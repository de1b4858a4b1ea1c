/** When screens of instances ask again. */
import { isTransitional, restartsSoon, type InstanceState } from '@purlin/contract/rules/instance'

const seconds = 1000
const often = 3 * seconds
const seldom = 60 * seconds
/** How long a list asks often after something new began to move. */
const fastWindow = 30 * seconds

/** What a list has to remember between two looks. */
export interface PollState {
  /** `id|state` of the rows that were on their way at the last look */
  moving: readonly string[]
  /** ms; when something last began to move */
  since: number
}
interface Row {
  id: string
  runState: InstanceState
}

/** A list that was just opened. `now` in ms. */
export const startPolling = (now: number): PollState => ({ moving: [], since: now })

/**
 * Looks at the rows of a response and says when to ask again, in ms. A row that begins to move opens a
 * window of 30 s in which the list asks often, as long as anything moves. The state is part of what is
 * remembered: an instance that is stopped while it starts opens the window again, one that arrives does
 * not. Looking twice at the same rows changes nothing.
 */
export function pollAfter(
  state: PollState,
  rows: readonly Row[],
  now: number,
): { state: PollState; interval: number } {
  const moving = rows
    .filter((row) => isTransitional(row.runState))
    .map(({ id, runState }) => `${id}|${runState}`)
  const isNews = moving.some((key) => !state.moving.includes(key))
  const since = isNews ? now : state.since
  const isOften = moving.length > 0 && now - since < fastWindow
  return { state: { moving, since }, interval: isOften ? often : seldom }
}

/** What asks on behalf of a list, from the moment it opens: give it the rows of each response. */
export function listPoller(now: () => number): (rows: readonly Row[]) => number {
  let state = startPolling(now())
  return (rows) => {
    const next = pollAfter(state, rows, now())
    state = next.state
    return next.interval
  }
}

interface Restarting {
  runState: InstanceState
  autoRestartEnabled: boolean
  autoRestartCooldownExpiration?: Date | null | undefined
}

/** When the page of an instance asks again, in ms; false if nothing is expected to happen. `now` in ms. */
export function pageInterval(instance: Restarting | undefined, now: number): number | false {
  if (!instance) return false
  if (isTransitional(instance.runState) || restartsSoon(instance, now)) return 2 * seconds
  return instance.runState === 'failed' && instance.autoRestartEnabled ? 30 * seconds : false
}

/** The same as a query's own rule. */
export const pollInstance = ({ state }: { state: { data?: Restarting | undefined } }): number | false =>
  pageInterval(state.data, Date.now())
