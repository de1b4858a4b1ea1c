import { expect, it } from 'vitest'
import { quotaLevel } from './quotas.ts'

it.each([
  [0, 0, 'fine'],
  [66, 100, 'fine'],
  [67, 100, 'warning'],
  [75, 100, 'warning'],
  [76, 100, 'critical'],
  [200, 100, 'critical'],
  [1, 0, 'critical'],
])('%i of %i is %s', (used, quota, level) => {
  expect(quotaLevel(used, quota)).toBe(level)
})
