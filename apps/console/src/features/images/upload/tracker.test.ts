import { expect, it } from 'vitest'
import { advance, createTracker, start } from './tracker.ts'

const chunk = (sum: number, length = 10) => ({ length, sum })

it('the checkpoint stops at a gap, the count does not', () => {
  const tracker = createTracker(start)
  tracker.complete(10, chunk(2))
  tracker.complete(20, chunk(3))
  expect([tracker.checkpoint.bytes, tracker.done]).toEqual([0, 20])
  tracker.complete(0, chunk(1))
  expect([tracker.checkpoint.bytes, tracker.done]).toEqual([30, 30])
})

it('the checksum is over the chunks by offset, in whatever order they arrive', () => {
  const inOrder = [1, 2, 3].reduce((checkpoint, sum) => advance(checkpoint, chunk(sum)), start)
  const tracker = createTracker(start)
  for (const at of [2, 0, 1]) tracker.complete(at * 10, chunk(at + 1))
  expect(tracker.checkpoint).toEqual(inOrder)
  const swapped = [2, 1, 3].reduce((checkpoint, sum) => advance(checkpoint, chunk(sum)), start)
  expect(swapped.sum).not.toBe(inOrder.sum)
})

it('continues from an earlier checkpoint', () => {
  const tracker = createTracker({ bytes: 40, sum: 7 })
  tracker.complete(40, chunk(1, 5))
  expect(tracker.checkpoint).toEqual(advance({ bytes: 40, sum: 7 }, chunk(1, 5)))
  expect(tracker.done).toBe(45)
})
