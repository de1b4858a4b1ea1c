import { expect, it } from 'vitest'
import { someOf } from './madeFrom.tsx'

it.each([
  [['a'], 'a'],
  [['a', 'b', 'c'], 'a, b, and c'],
  [['a', 'b', 'c', 'd'], 'a, b, c and 1 more'],
])('the names %s become %s', (names, text) => expect(someOf(names)).toBe(text))
