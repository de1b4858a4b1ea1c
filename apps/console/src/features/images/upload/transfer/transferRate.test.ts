import { expect, it } from 'vitest'
import { createRateEstimate, timeLeft } from './transferRate.ts'

it('the rate covers the last ten seconds, and is undefined at first and after a reset', () => {
  let now = 0
  const rate = createRateEstimate(() => now)
  const at = (seconds: number, done: number) => {
    now = seconds * 1000
    rate.record(done)
  }
  at(0, 0)
  at(0.5, 50)
  expect(rate.bytesPerSecond()).toBeUndefined()
  at(2, 200)
  expect(rate.bytesPerSecond()).toBe(100)
  at(12, 2200)
  at(22, 12_200)
  expect(rate.bytesPerSecond()).toBe(1000)
  rate.reset()
  at(23, 12_300)
  expect(rate.bytesPerSecond()).toBeUndefined()
})

it.each([
  [100, undefined, undefined],
  [100, 0, undefined],
  [590, 10, 'less than a minute left'],
  [600, 10, 'about 1 minute left'],
  [10 * 60 * 89, 10, 'about 89 minutes left'],
  [10 * 3600 * 3, 10, 'about 3 hours left'],
])('%d bytes at %s: %s', (bytes, speed, text) => {
  expect(timeLeft(bytes, speed)).toBe(text)
})
