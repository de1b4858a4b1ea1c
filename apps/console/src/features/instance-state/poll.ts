/** When lists and pages of instances are fetched again. */
import { serverNow } from '#/lib/clock.ts'
import { restartsSoon } from '@purlin/contract/rules/auto-restart'
import { type InstanceState, isTransitional } from '@purlin/contract/rules/states'
import { pollAfter as pollRows, slowMs, type Polling } from '#/live/polling.ts'

const second = 1000
interface Row {
  id: string
  runState: InstanceState
}

/** A list that was just opened. `now` in ms. */
export const startPolling = (now: number): Polling => ({ transitional: [], since: now })

/**
 * The interval until the next fetch in ms; `slowMs` if nothing changes. A stop during a start restarts the fast
 * polling, because the instance enters another transitional state.
 */
export function pollAfter(
  state: Polling,
  rows: readonly Row[],
  now: number,
): { state: Polling; interval: number } {
  const transitional = rows
    .filter((row) => isTransitional(row.runState))
    .map(({ id, runState }) => `${id}|${runState}`)
  const next = pollRows(state, transitional, now)
  return { state: next.state, interval: next.interval || slowMs }
}

/** The poller of a list, from when it opens: takes the rows of each response, returns the next interval. */
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

/** The polling interval of an instance's page in ms; false if no change is expected. `now` in ms. */
export function pageInterval(instance: Restarting | undefined, now: number): number | false {
  if (!instance) return false
  if (isTransitional(instance.runState) || restartsSoon(instance, now)) return 2 * second
  return instance.runState === 'failed' && instance.autoRestartEnabled ? 30 * second : false
}

/** The same as the `refetchInterval` of a query. */
export const pollInstance = ({ state }: { state: { data?: Restarting | undefined } }): number | false =>
  pageInterval(state.data, serverNow())
