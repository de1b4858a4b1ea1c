import { execFileSync } from 'node:child_process'
import { expect, it } from 'vitest'

it('no other file imports fast-check, whose seed would be a random one', () => {
  const importing = execFileSync('git', ['grep', '--untracked', '-l', "from 'fast-chec[k]'"], {
    encoding: 'utf8',
  })
  expect(importing.trim().split('\n')).toEqual(['packages/core/testing/properties.ts'])
})
