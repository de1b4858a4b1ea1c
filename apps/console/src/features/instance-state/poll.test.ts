import type { InstanceState } from '@purlin/contract/rules/states'
import { describe, expect, it } from 'vitest'
import { pageInterval, pollAfter, startPolling } from './poll.ts'

const row = (id: string, runState: InstanceState) => ({ id, runState })

/** Looks at lists of rows at given seconds and tells the interval after each. */
const watch = (...looks: [second: number, rows: { id: string; runState: InstanceState }[]][]) => {
  let state = startPolling(0)
  return looks.map(([second, rows]) => {
    const next = pollAfter(state, rows, second * 1000)
    state = next.state
    return next.interval / 1000
  })
}

describe('polling of the list', () => {
  it('is slow while nothing moves', () => {
    expect(watch([0, [row('a', 'running'), row('b', 'failed')]], [60, []])).toEqual([60, 60])
  })
  it('is fast from the start if the list opens with a transitional state', () => {
    expect(watch([0, [row('a', 'starting')]])).toEqual([3])
  })
  it('is fast for 30 seconds only', () => {
    const starting = [row('a', 'starting')]
    expect(watch([0, starting], [29, starting], [30, starting], [90, starting])).toEqual([3, 3, 60, 60])
  })
  it('is slow again as soon as everything has arrived', () => {
    expect(watch([0, [row('a', 'starting')]], [3, [row('a', 'running')]])).toEqual([3, 60])
  })
  it('an instance that is stopped while it hangs in starting opens the window again', () => {
    const looks = watch(
      [0, [row('a', 'starting')]],
      [40, [row('a', 'starting')]],
      [41, [row('a', 'stopping')]],
    )
    expect(looks).toEqual([3, 60, 3])
  })
  it('an instance that arrives does not open the window again for one that hangs', () => {
    const both = [row('a', 'starting'), row('b', 'starting')]
    expect(watch([0, both], [40, [row('a', 'starting'), row('b', 'running')]])).toEqual([3, 60])
  })
  it('another one that begins to move opens it for all', () => {
    const looks = watch([0, [row('a', 'starting')]], [40, [row('a', 'starting'), row('b', 'stopping')]])
    expect(looks).toEqual([3, 3])
  })
  it('looking twice at one response changes nothing', () => {
    const starting = [row('a', 'starting')]
    const first = pollAfter(startPolling(0), starting, 1000)
    expect(pollAfter(first.state, starting, 2000).state).toEqual(first.state)
  })
})

describe('polling of the page', () => {
  const failed = (expiry: number | null, autoRestartEnabled = true) => ({
    runState: 'failed' as const,
    autoRestartEnabled,
    autoRestartCooldownExpiration: expiry === null ? null : new Date(expiry),
  })
  it.each([
    ['every 2 s while on its way', { runState: 'starting' as const, autoRestartEnabled: true }, 2000],
    ['every 2 s while it will restart soon', failed(null), 2000],
    ['every 2 s once the cooldown is over', failed(999), 2000],
    ['every 30 s during the cooldown', failed(60_000), 30_000],
    ['not if it will not restart', failed(null, false), false],
    ['not while it runs', { runState: 'running' as const, autoRestartEnabled: true }, false],
    ['not before it is known', undefined, false],
  ])('%s', (_, instance, interval) => expect(pageInterval(instance, 1000)).toBe(interval))
})
