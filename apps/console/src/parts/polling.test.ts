import { describe, expect, it } from 'vitest'
import { pollAfter, unseen } from './polling.ts'

const creating = ['a|creating']

describe('asking again for a list', () => {
  it('never while all are at rest', () => expect(pollAfter(unseen, [], 5).interval).toBe(false))
  it('often for half a minute after one set out, then seldom', () => {
    const first = pollAfter(unseen, creating, 1_000)
    expect(first.interval).toBe(3_000)
    expect(pollAfter(first.state, creating, 30_999).interval).toBe(3_000)
    expect(pollAfter(first.state, creating, 31_000).interval).toBe(60_000)
  })
  it('often again when another sets out', () => {
    const first = pollAfter(unseen, creating, 0)
    expect(pollAfter(first.state, [...creating, 'b|attaching'], 40_000)).toMatchObject({
      interval: 3_000,
      state: { since: 40_000 },
    })
  })
  it('not at all once they have arrived', () => {
    const first = pollAfter(unseen, creating, 0)
    expect(pollAfter(first.state, [], 3_000).interval).toBe(false)
  })
})
