import { expect, it } from 'vitest'
import { contentsWords } from './-projectContents.ts'

const count = (noun: string, count: number, isMore = false) => ({ noun, count, isMore })

it('names what a project holds, and nothing of what it does not', () => {
  expect(
    contentsWords([count('instance', 64), count('disk', 1), count('floating IP', 0), count('image', 2)]),
  ).toBe('64 instances, 1 disk, and 2 images')
  expect(contentsWords([count('instance', 1000, true)])).toBe('more than 1000 instances')
  expect(contentsWords([count('disk', 0)])).toBe('')
})
