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
