import { expect, it } from 'vitest'
import { checkTiming } from './timing.ts'

const problemsOf = (path: string, text: string) => checkTiming([{ path, text }]).problems

it.each([
  'await page.waitForTimeout(100)',
  'await sleep(5)',
  'await new Promise((resolve) => setTimeout(resolve, 50))',
  'expect(performance.now() - began).toBeLessThan(100)',
])('a test may not have %s', (line) => {
  expect(problemsOf('packages/core/a.test.ts', `const a = 1\n${line}`)).toEqual([
    expect.stringMatching(/^packages\/core\/a\.test\.ts .*line 2/),
  ])
  expect(problemsOf('e2e/a.spec.ts', line)).toHaveLength(1)
})

it('a soak test, a bench and the product may wait and measure', () => {
  for (const path of ['apps/server/attack/a.soak.ts', 'bench/a.ts', 'packages/core/a.ts'])
    expect(problemsOf(path, 'await sleep(5)')).toEqual([])
})

it.each([
  ['await vi.waitFor(() => expect(a(1)).toBe(2))', 1],
  ['await vi.waitFor(() => expect(a).toBe(2), 5_000)', 1],
  ['await vi.waitFor(\n  async () => { await b(); expect(a).toBe(2) },\n  { timeout: 1000 },\n)', 1],
  ['await vi.waitFor(() => expect(a).toBe(2), 60_000)', 0],
  ['await vi.waitFor(() => expect(a).toBe(2), patient)', 0],
  ['await vi.waitFor(() => expect(a).toBe(2), { timeout: 90_000, interval: 50 })', 0],
])('%j has %i waits that are too short', (line, count) => {
  expect(problemsOf('packages/core/a.test.ts', line)).toHaveLength(count)
})

it.each([
  ["it('ends', { timeout: 120_000 }, async () => {})", 1],
  ["describe.skipIf(why)('a kernel', { timeout: 60_000 }, () => {})", 1],
  ["it(\n  'ends',\n  { timeout: 5000 },\n  async () => {},\n)", 1],
  ["it('takes long', { timeout: 900_000 }, async () => {})", 0],
])('%j has %i limits that are too low', (line, count) => {
  expect(problemsOf('packages/core/a.test.ts', line)).toHaveLength(count)
})
