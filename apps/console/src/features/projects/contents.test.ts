import { expect, it } from 'vitest'
import type { ChildOf } from '@purlin/contract/rules/kinds'
import { countWords } from './contents.ts'

const count = (kind: ChildOf<'project'>, count: number, isMore = false) => ({ kind, count, isMore })

it('says how many there are of a kind, and that there are more than were counted', () => {
  expect(countWords(count('instance', 64))).toBe('64 instances')
  expect(countWords(count('disk', 1))).toBe('1 disk')
  expect(countWords(count('instance', 1000, true))).toBe('more than 1,000 instances')
})
