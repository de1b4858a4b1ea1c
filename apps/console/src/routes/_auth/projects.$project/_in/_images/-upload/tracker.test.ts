import { expect, it } from 'vitest'
import { after, createTracker, nothing } from './tracker.ts'

const piece = (sum: number, length = 10) => ({ length, sum })

it('the mark waits for the gap, the count does not', () => {
  const tracker = createTracker(nothing)
  tracker.complete(10, piece(2))
  tracker.complete(20, piece(3))
  expect([tracker.mark.bytes, tracker.done]).toEqual([0, 20])
  tracker.complete(0, piece(1))
  expect([tracker.mark.bytes, tracker.done]).toEqual([30, 30])
})

it('the sum is that of the pieces in their order, however they arrived', () => {
  const inOrder = [1, 2, 3].reduce((mark, sum) => after(mark, piece(sum)), nothing)
  const tracker = createTracker(nothing)
  for (const at of [2, 0, 1]) tracker.complete(at * 10, piece(at + 1))
  expect(tracker.mark).toEqual(inOrder)
  const swapped = [2, 1, 3].reduce((mark, sum) => after(mark, piece(sum)), nothing)
  expect(swapped.sum).not.toBe(inOrder.sum)
})

it('counting goes on from an earlier mark', () => {
  const tracker = createTracker({ bytes: 40, sum: 7 })
  tracker.complete(40, piece(1, 5))
  expect(tracker.mark).toEqual(after({ bytes: 40, sum: 7 }, piece(1, 5)))
  expect(tracker.done).toBe(45)
})
