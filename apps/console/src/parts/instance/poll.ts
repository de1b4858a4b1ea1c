/** When screens of instances ask again. */
import { isTransitional, restartsSoon, type InstanceState } from '@purlin/contract/rules/instance'
import { pollAfter as pollRows, seldom, type Polling } from '../polling.ts'

const seconds = 1000
interface Row {
  id: string
  runState: InstanceState
}

/** A list that was just opened. `now` in ms. */
export const startPolling = (now: number): Polling => ({ moving: [], since: now })

/**
 * Looks at the rows of a response and says when to ask again, in ms; seldom if nothing moves. An instance
 * that is stopped while it starts begins to move anew, one that arrives does not.
 */
export function pollAfter(
  state: Polling,
  rows: readonly Row[],
  now: number,
): { state: Polling; interval: number } {
  const moving = rows
    .filter((row) => isTransitional(row.runState))
    .map(({ id, runState }) => `${id}|${runState}`)
  const next = pollRows(state, moving, now)
  return { state: next.state, interval: next.interval || seldom }
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
