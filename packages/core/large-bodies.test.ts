/** Large bodies take a shorter way through the parser; it must lead to the same place. */
import { map, text } from '@purlin/contract/schema'
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseBody } from './json.ts'

const anything = map(text())
const long = (mark: string) => mark.repeat(5000)
const filler = `"filler":"${'x'.repeat(70_000)}"`

describe('a large body', () => {
  const part = fc.constantFrom('a', long('b'), long('\\n'), `${long('c')}\\u0041`, 'u00000', '', long('Ü'))
  const space = fc.constantFrom('', ' ', '\n  ')

  it('reads like any other, whatever stands in its strings and keys', () => {
    const entry = fc.tuple(part, part, space).map(([key, value, gap]) => `"${key}"${gap}:${gap}"${value}"`)
    const entries = fc.uniqueArray(entry, { selector: (one) => one.split('"')[1] ?? '' })
    fc.assert(
      fc.property(entries, (list) => {
        const body = `{${[filler, ...list].join(',')}}`
        expect(parseBody(anything, body)).toEqual(JSON.parse(body))
      }),
      { numRuns: 60 },
    )
  })

  it.each([
    ['a key given twice', `{${filler},"a":"${long('b')}","a":"c"}`, 'duplicate field `a`'],
    ['no end', `{${filler},"a":"${long('b')}`, 'EOF while parsing a string'],
    ['a line break in a string', `{${filler},"a":"${long('b')}\n"}`, 'control character'],
    ['a bad escape', `{${filler},"a":"${long('b')}\\x"}`, 'invalid escape'],
    ['a number for a text', `{${filler},"a":1}`, 'a: invalid type: integer `1`, expected a string'],
  ])('with %s is refused with the reason', (_, body, reason) => {
    expect(() => parseBody(anything, body)).toThrow(reason)
  })
})

describe('base64', () => {
  const strict = (value: string) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)

  it('reads back what was written', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 300 }), (data) => {
        expect([...fromBase64(toBase64(data.subarray(1)))]).toEqual([...data.subarray(1)])
      }),
    )
  })

  it('is the standard alphabet with padding, and nothing else', () => {
    const character = fc.constantFrom(...Array.from('ABYZabyz0189+/=-_ \n\0éĀ一'))
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 12 }).map((all) => all.join('')),
        (value) => {
          if (strict(value))
            expect(Buffer.from(fromBase64(value)).equals(Buffer.from(value, 'base64'))).toBe(true)
          else expect(() => fromBase64(value)).toThrow('invalid base64')
        },
      ),
      { numRuns: 3000 },
    )
  })
})
