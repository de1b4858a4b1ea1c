import { expect, it } from 'vitest'
import { lifetimeWords } from './lifetimeWords.ts'

it.each([
  [1, '1 second'],
  [61, '61 seconds'],
  [5400, '90 minutes'],
  [3600, '1 hour'],
  [2_592_000, '30 days'],
])('%d s is %s', (seconds, words) => {
  expect(lifetimeWords(seconds)).toBe(words)
})
