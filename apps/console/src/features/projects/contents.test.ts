import { expect, it } from 'vitest'
import type { ChildOf } from '@purlin/contract/rules/kinds'
import { contentsWords } from './contents.ts'

const count = (kind: ChildOf<'project'>, count: number, isMore = false) => ({ kind, count, isMore })

it('names what a project holds, and nothing of what it does not', () => {
  expect(
    contentsWords([count('instance', 64), count('disk', 1), count('floatingIp', 0), count('image', 2)]),
  ).toBe('64 instances, 1 disk, and 2 images')
  expect(contentsWords([count('instance', 1000, true)])).toBe('more than 1000 instances')
  expect(contentsWords([count('disk', 0)])).toBe('')
})
