import { expect, it } from 'vitest'
import { castsIn } from './casts.ts'

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
