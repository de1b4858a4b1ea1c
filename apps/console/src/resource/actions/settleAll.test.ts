import { describe, expect, it } from 'vitest'
import { settleAll } from './settleAll.ts'

describe('running a task for each item', () => {
  it('never runs more at a time than its width', async () => {
    let running = 0
    let peak = 0
    const { failures } = await settleAll([1, 2, 3, 4, 5, 6, 7], { width: 3 }, async () => {
      running += 1
      peak = Math.max(peak, running)
      await Promise.resolve()
      running -= 1
    })
    expect({ peak, failures }).toEqual({ peak: 3, failures: [] })
  })
  it('continues after a failure and returns it', async () => {
    const done: string[] = []
    const { failures } = await settleAll(['a', 'b', 'c'], { width: 1 }, async (item) => {
      if (item === 'b') throw new Error('no room')
      done.push(item)
    })
    expect(done).toEqual(['a', 'c'])
    expect(failures).toEqual([{ item: 'b', error: new Error('no room') }])
  })
  it('begins nothing more once it is canceled', async () => {
    const canceling = new AbortController()
    const done: number[] = []
    const { begun } = await settleAll([1, 2, 3, 4], { width: 1, signal: canceling.signal }, async (item) => {
      done.push(item)
      if (item === 2) canceling.abort()
      await Promise.resolve()
    })
    expect([begun, done]).toEqual([2, [1, 2]])
  })
})
