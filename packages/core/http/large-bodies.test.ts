/** Large bodies arrive as bytes and take a fast path through the parser, which must give the same results. */
import { MiB } from '@purlin/contract/rules/limits'
import { base64, integer, object, optional, record, type Schema, string } from '@purlin/contract/schema'
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import fc from '#/testing/properties.ts'
import { describe, expect, it } from 'vitest'
import { decodeBase64, giveBack } from '#/bytes.ts'
import { parseBody } from './json.ts'

const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value)
const blocks = object({ offset: integer(), data: base64(MiB), note: optional(string({ maxLength: MiB })) })
const anything = record(string({ maxLength: MiB }), { count: 10, noun: 'texts' })

/** The parsed body, or the reason why it is invalid. */
function outcome(schema: Schema<unknown, unknown>, body: string | Uint8Array): string {
  const show = (_: string, value: unknown) => (value instanceof Uint8Array ? toBase64(value) : value)
  try {
    return JSON.stringify(parseBody(schema, body), show)
  } catch (error) {
    return (error as Error).message
  }
}
const data = (length: number) => toBase64(Uint8Array.from({ length }, (_, i) => (i * 7) % 256))
const filler = `"filler":"${'x'.repeat(70_000)}"`

describe('a body that came as bytes', () => {
  const texts = ['a', '', 'Ü', 'u0000', '\\n', '\\u0000', '\\"', 'Ü'.repeat(5000), `${'A'.repeat(6000)}\n`]
  const almost = [data(40_000).slice(1), `${data(6000)}\\u0041`, '-'.repeat(8000), `A===${data(9000)}`]
  const part = fc.constantFrom(...texts, ...almost, data(6000), data(70_001))
  const space = fc.constantFrom('', ' ', '\n  ')
  const key = fc.constantFrom('data', 'note', 'offset', data(6000), 'a')
  const entry = fc.tuple(key, part, space).map(([name, value, gap]) => `"${name}"${gap}:${gap}"${value}"`)

  it.each([
    ['with base64 in it', blocks],
    ['of texts', anything],
  ] as const)('%s reads like its text, or is refused for the same reason', (_, schema) => {
    const property = fc.property(fc.array(entry, { maxLength: 4 }), (entries) => {
      const body = `{${['"offset":1', ...entries].join(',')}}`
      // Not toBe, whose failure would print the whole body.
      expect(outcome(schema, bytesOf(body)) === outcome(schema, body)).toBe(true)
    })
    fc.assert(property, { numRuns: 150 })
  })

  it.each([
    ['a key given twice', `{${filler},"a":"b","a":"c"}`, 'duplicate field `a`'],
    ['no end', `{${filler},"a":"b`, 'EOF while parsing a string'],
    ['a line break in a string', `{${filler},"a":"b\n"}`, 'control character'],
    ['a bad escape', `{${filler},"a":"\\x"}`, 'invalid escape'],
    ['a number for a text', `{${filler},"a":1}`, 'a: invalid type: integer `1`, expected a string'],
  ])('with %s is refused with the reason', (_, body, reason) => {
    expect(() => parseBody(anything, bytesOf(body))).toThrow(reason)
  })

  it('has no byte order mark, and is read as UTF-8', () => {
    expect(() => parseBody(anything, bytesOf('\uFEFF{}'))).toThrow('expected value')
    expect(parseBody(anything, bytesOf(`{${filler},"a":"Ü"}`))).toMatchObject({ a: 'Ü' })
  })
})

it('memory is freed, unless it is shared', () => {
  const own = new Uint8Array(10)
  giveBack(own)
  expect(own.length).toBe(0)
  const shared = new Uint8Array(10)
  giveBack(shared.subarray(0, 5))
  expect(shared.length).toBe(10)
})

describe('base64', () => {
  const strict = (value: string) => value.length % 4 === 0 && /^[A-Za-z0-9+/]*={0,2}$/.test(value)

  it('is decoded from a text and from bytes, at any length', () => {
    const length = fc.oneof(fc.nat(300), fc.integer({ min: 36_000, max: 37_000 }), fc.constant(524_288))
    fc.assert(
      fc.property(length, (size) => {
        const some = Uint8Array.from({ length: size + 1 }, (_, i) => (i * 31 + size) % 256).subarray(1)
        const written = toBase64(some)
        expect(Buffer.compare(fromBase64(written), some)).toBe(0)
        expect(Buffer.compare(decodeBase64(bytesOf(written)), some)).toBe(0)
      }),
    )
  })

  it('accepts only the standard alphabet with padding', () => {
    const character = fc.constantFrom(...Array.from('ABYZabyz0189+/=-_ \n\0éĀ一'))
    fc.assert(
      fc.property(
        fc.array(character, { maxLength: 12 }).map((all) => all.join('')),
        (value) => {
          for (const decode of [fromBase64, (one: string) => decodeBase64(bytesOf(one))])
            if (strict(value))
              expect(Buffer.from(decode(value)).equals(Buffer.from(value, 'base64'))).toBe(true)
            else expect(() => decode(value)).toThrow('invalid base64')
        },
      ),
      { numRuns: 3000 },
    )
  })

  it('has padding at its end only, however long it is', () => {
    const padded = `${'A'.repeat(48 * 1024 - 2)}==`
    expect(() => decodeBase64(bytesOf(padded + 'AAAA'))).toThrow('invalid base64')
    expect(decodeBase64(bytesOf('AAAA' + padded)).length).toBe(36 * 1024 + 1)
  })
})
