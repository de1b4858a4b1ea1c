import { expect, it } from 'vitest'
import { createPace, timeLeft } from './pace.ts'

it('speed is that of the last ten seconds, and none is told too early or after a break', () => {
  let now = 0
  const pace = createPace(() => now)
  const at = (seconds: number, done: number) => {
    now = seconds * 1000
    pace.note(done)
  }
  at(0, 0)
  at(0.5, 50)
  expect(pace.speed()).toBeUndefined()
  at(2, 200)
  expect(pace.speed()).toBe(100)
  at(12, 2200)
  at(22, 12_200)
  expect(pace.speed()).toBe(1000)
  pace.reset()
  at(23, 12_300)
  expect(pace.speed()).toBeUndefined()
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
