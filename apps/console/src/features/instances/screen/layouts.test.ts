import { describe, expect, it } from 'vitest'
import { layoutChoices, isLayout, typed, type LayoutName } from './layouts.ts'

const names = layoutChoices.map(({ value }) => value).filter(isLayout)
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('')
const only = (character: string, layout: LayoutName) => typed(character, layout).strokes[0]

describe('a text as keys', () => {
  it.each(names)('%s has all of ASCII, each character once', (layout) => {
    const { strokes, missing } = typed(printable, layout)
    expect(missing).toEqual([])
    expect(new Set(strokes.map((one) => JSON.stringify(one))).size).toBe(95)
  })

  it.each<[LayoutName, string, unknown]>([
    ['us', '@', [{ code: 'Digit2', with: 'shift' }]],
    ['us', '?', [{ code: 'Slash', with: 'shift' }]],
    ['gb', '"', [{ code: 'Digit2', with: 'shift' }]],
    ['gb', '\\', [{ code: 'IntlBackslash' }]],
    ['gb', '#', [{ code: 'Backslash' }]],
    ['de', 'z', [{ code: 'KeyY' }]],
    ['de', '@', [{ code: 'KeyQ', with: 'altGr' }]],
    ['de', '_', [{ code: 'Slash', with: 'shift' }]],
    ['de', '^', [{ code: 'Backquote' }, { code: 'Space' }]],
    ['fr', 'a', [{ code: 'KeyQ' }]],
    ['fr', '1', [{ code: 'Digit1', with: 'shift' }]],
    ['fr', '!', [{ code: 'Slash' }]],
  ])('%s: %s', (layout, character, strokes) => expect(only(character, layout)).toEqual(strokes))

  it('ends lines with Enter, however they end', () => {
    const codes = typed('a\r\nb\rc\n', 'us').strokes.flatMap((one) => one.map(({ code }) => code))
    expect(codes).toEqual(['KeyA', 'Enter', 'KeyB', 'Enter', 'KeyC', 'Enter'])
  })

  it('names the characters that are on no key, each once', () => {
    expect(typed('für 5 € – ü', 'us').missing).toEqual(['ü', '€', '–'])
    expect(typed('für 5 €', 'de').missing).toEqual([])
  })
})
