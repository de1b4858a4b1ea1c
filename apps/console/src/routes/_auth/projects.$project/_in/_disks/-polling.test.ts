import type { DiskStateName } from '@purlin/contract/rules/disk'
import { describe, expect, it } from 'vitest'
import type { Disk } from './-diskActions.tsx'
import { pollAfter } from './-polling.ts'

const disk = (id: string, state: DiskStateName) => ({ id, state: { state } as Disk['state'] })
const fresh = { moving: [], since: 0 }

describe('asking again for a list of disks', () => {
  it('never while all are at rest', () =>
    expect(pollAfter(fresh, [disk('a', 'attached'), disk('b', 'detached')], 5).interval).toBe(false))
  it('often for half a minute after one set out, then seldom', () => {
    const first = pollAfter(fresh, [disk('a', 'creating')], 1_000)
    expect(first.interval).toBe(3_000)
    expect(pollAfter(first, [disk('a', 'creating')], 30_999).interval).toBe(3_000)
    expect(pollAfter(first, [disk('a', 'creating')], 31_000).interval).toBe(60_000)
  })
  it('often again when another sets out', () => {
    const first = pollAfter(fresh, [disk('a', 'creating')], 0)
    expect(pollAfter(first, [disk('a', 'creating'), disk('b', 'attaching')], 40_000)).toMatchObject({
      interval: 3_000,
      since: 40_000,
    })
  })
  it('not at all once they have arrived', () => {
    const first = pollAfter(fresh, [disk('a', 'creating')], 0)
    expect(pollAfter(first, [disk('a', 'detached')], 3_000).interval).toBe(false)
  })
})
