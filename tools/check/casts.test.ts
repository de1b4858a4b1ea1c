import { expect, it } from 'vitest'
import { castsIn, countCasts } from './casts.ts'

it.each([
  ['const a = b as C', 1],
  ['const a = b as unknown as C', 2],
  ['const a = [1] as const', 0],
  ["import { a as b } from './c.ts'", 0],
  ["import * as a from './c.ts'", 0],
  ['// as small as possible', 0],
  ['/** Said as text. */', 0],
  ["const a = 'b as C'", 0],
])('counts the type assertions of %s', (text, count) => {
  expect(castsIn(text)).toBe(count)
})

it('refuses more assertions than the limit', () => {
  const fileWith = (casts: number) => ({
    path: 'packages/core/a.ts',
    text: ['a as B\n'.repeat(casts), 'a\n'.repeat(1000 - casts)].join(''),
  })
  expect(countCasts([fileWith(4)]).problems).toEqual([])
  expect(countCasts([fileWith(5)]).problems).toEqual(['5 for 1 000 lines of code; the limit is 4'])
})
