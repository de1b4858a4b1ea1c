import { expect, it } from 'vitest'
import { codeOf, noLetters, withLetters, without } from './codeBoxes.ts'

const pasted = (text: string, from = 0) => withLetters(noLetters, from, text)

it('takes the letters of a text in upper case, and nothing else', () => {
  expect(codeOf(pasted('bcdf-ghjk').boxes)).toBe('BCDF-GHJK')
  expect(codeOf(pasted(' B1C2D3F4 GHJKLM').boxes)).toBe('BCDF-GHJK')
  expect(pasted('12-').boxes).toEqual(noLetters)
})

it('begins at a box and continues after the last letter', () => {
  const { boxes, next } = pasted('bc', 3)
  expect(boxes).toEqual(['', '', '', 'B', 'C', '', '', ''])
  expect(next).toBe(5)
  expect(pasted('bcdf', 6)).toEqual({ boxes: ['', '', '', '', '', '', 'B', 'C'], next: 7 })
})

it('is no code while a letter is missing', () => {
  const { boxes } = pasted('BCDFGHJK')
  expect(codeOf(without(boxes, 2))).toBeUndefined()
  expect(without(boxes, 2)[2]).toBe('')
})
