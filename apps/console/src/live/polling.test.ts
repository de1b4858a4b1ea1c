import { describe, expect, it } from 'vitest'
import { pollAfter, neverPolled } from './polling.ts'

const creating = ['a|creating']

describe('the polling interval of a list', () => {
  it('is off while no row is in a transitional state', () =>
    expect(pollAfter(neverPolled, [], 5).interval).toBe(false))
  it('is short for 30 s after a row has entered a transitional state, then long', () => {
    const first = pollAfter(neverPolled, creating, 1_000)
    expect(first.interval).toBe(3_000)
    expect(pollAfter(first.state, creating, 30_999).interval).toBe(3_000)
    expect(pollAfter(first.state, creating, 31_000).interval).toBe(60_000)
  })
  it('is short again when another row enters a transitional state', () => {
    const first = pollAfter(neverPolled, creating, 0)
    expect(pollAfter(first.state, [...creating, 'b|attaching'], 40_000)).toMatchObject({
      interval: 3_000,
      state: { since: 40_000 },
    })
  })
  it('is off once no row is in a transitional state', () => {
    const first = pollAfter(neverPolled, creating, 0)
    expect(pollAfter(first.state, [], 3_000).interval).toBe(false)
  })
})
