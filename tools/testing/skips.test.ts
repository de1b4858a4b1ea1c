import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from '../repo.ts'

/** They fail in CI by themselves, or are about this word. */
const others = [
  'packages/core/db/engine.test.ts',
  'packages/core/db/round-trips.test.ts',
  'packages/databases/postgres.test.ts',
  'tools/check/timing.test.ts',
  'tools/testing/postgres.test.ts',
]

it('each test that may be skipped gives its reason', () => {
  const listed = execFileSync('git', ['ls-files', 'packages', 'apps', 'tools'], {
    cwd: root,
    encoding: 'utf8',
  })
  const files = listed
    .split('\n')
    .filter((path) => /\.(?:test|soak)\.ts$/.test(path) && !others.includes(path))
  const bare = files.flatMap((path) =>
    [
      ...readFileSync(join(root, path), 'utf8').matchAll(
        /\b(?:skipIf\(|runIf\(|return skip\()(?!lacks\(|omits\(|skipsLong\()[^\n]*/g,
      ),
    ].map(([text]) => `${path}: ${text}`),
  )
  expect(files.length).toBeGreaterThan(500)
  expect(bare).toEqual([])
})
