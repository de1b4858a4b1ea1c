import { describe, expect, it } from 'vitest'
import { settleAll } from './settleAll.ts'

describe('doing one thing to many', () => {
  it('never does more at a time than it may', async () => {
    let running = 0
    let most = 0
    const failures = await settleAll([1, 2, 3, 4, 5, 6, 7], 3, async () => {
      running += 1
      most = Math.max(most, running)
      await Promise.resolve()
      running -= 1
    })
    expect({ most, failures }).toEqual({ most: 3, failures: [] })
  })
  it('goes on after a failure and tells of it', async () => {
    const done: string[] = []
    const failures = await settleAll(['a', 'b', 'c'], 1, async (item) => {
      if (item === 'b') throw new Error('no room')
      done.push(item)
    })
    expect(done).toEqual(['a', 'c'])
    expect(failures).toEqual([{ item: 'b', error: new Error('no room') }])
  })
})
