import { describe, expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'

describe('manual clock', () => {
  it('does not advance by itself', async () => {
    const clock = manualClock({ start: 1000 })
    expect(clock.now()).toBe(1000)
    await clock.advance(250)
    expect(clock.now()).toBe(1250)
  })

  it('fires due timers by time, then by order of creation, each at its own time', async () => {
    const clock = manualClock({ start: 0 })
    const fired: string[] = []
    for (const [name, ms] of [
      ['c', 20],
      ['a', 10],
      ['b', 10],
      ['late', 31],
    ] as const)
      clock.after(ms, () => fired.push(`${name}@${clock.now()}`))
    await clock.advance(30)
    expect(fired).toEqual(['a@10', 'b@10', 'c@20'])
    expect(clock.pending()).toBe(1)
  })

  it('jumps over time: what is due by then fires late, and once', async () => {
    const clock = manualClock({ start: 0 })
    const fired: number[] = []
    const again = (): void => {
      fired.push(clock.now())
      clock.after(10, again)
    }
    clock.after(10, again)
    await clock.jump(1000)
    expect(fired).toEqual([1000])
    await clock.advance(10)
    expect(fired).toEqual([1000, 1010])
  })

  it('fires timers that are created while it advances', async () => {
    const clock = manualClock({ start: 0 })
    const fired: number[] = []
    const again = () => {
      fired.push(clock.now())
      clock.after(10, again)
    }
    clock.after(10, again)
    await clock.advance(35)
    expect(fired).toEqual([10, 20, 30])
  })

  it('settles promise chains before the next timer', async () => {
    const clock = manualClock({ start: 0 })
    const seen: string[] = []
    const chain = async () => {
      for (let step = 0; step < 50; step++) await Promise.resolve()
      seen.push('chain')
    }
    clock.after(10, () => void chain())
    clock.after(20, () => seen.push('timer'))
    await clock.advance(20)
    expect(seen).toEqual(['chain', 'timer'])
  })

  it('never fires a cancelled timer', async () => {
    const clock = manualClock()
    let fired = false
    clock.after(10, () => (fired = true))()
    await clock.advance(100)
    expect(fired).toBe(false)
  })
})
