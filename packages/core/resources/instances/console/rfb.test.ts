import { describe, expect, it } from 'vitest'
import { rfb } from '#/testing/consoles/fake-display.ts'
import { RfbClient, RfbError } from './rfb.ts'

/** The bytes that reach the display, of bytes that come in pieces of a size. */
function through(sent: number[], { mayControl = true, size = Infinity } = {}) {
  const client = new RfbClient({ mayControl })
  const got: number[] = []
  let inputs = 0
  for (let at = 0; at < sent.length; at += size) {
    const { bytes, isInput } = client.take(Uint8Array.from(sent.slice(at, at + size)))
    got.push(...bytes.flatMap((part) => [...part]))
    if (isInput) inputs++
  }
  return { got, inputs }
}

const format = [0, 0, 0, 0, 32, 24, 0, 1, 0, 255, 0, 255, 0, 255, 16, 8, 0, 0, 0, 0]
const asking = [...format, ...rfb.encodings(0, 7, -239), ...rfb.picture]
const doing = [...rfb.key, ...rfb.pointer, ...rfb.cutText, ...rfb.keyByPosition, ...rfb.size]
const sizes = [1, 2, 3, 5, 7, 11, 64, Infinity]

describe('the words of a client to a screen', () => {
  it.each(sizes)('reaches it whole if the client may control it, in pieces of %s', (size) => {
    const sent = [...rfb.greeting, ...asking, ...doing, ...rfb.picture]
    expect(through(sent, { size }).got).toEqual(sent)
  })

  it.each(sizes)(
    'reaches it without all that does something if the client may only watch, in pieces of %s',
    (size) => {
      const sent = [...rfb.greeting, ...rfb.key, ...asking, ...doing, ...rfb.picture, ...rfb.cutText]
      const { got, inputs } = through(sent, { mayControl: false, size })
      expect(got).toEqual([...rfb.greeting, ...asking, ...rfb.picture])
      expect(inputs).toBe(0)
    },
  )

  it('a picture that is asked for is no use of a session, and a key is', () => {
    expect(through([...rfb.greeting, ...asking]).inputs).toBe(0)
    expect(through([...rfb.greeting, ...rfb.key]).inputs).toBe(1)
  })

  it('a client never has the screen alone, and gets no encoding that brings other messages', () => {
    const greeting = [...rfb.greeting.slice(0, -1), 0]
    const { got } = through([...greeting, ...rfb.encodings(0, -316, -313, -312, 7)])
    expect(got).toEqual([...rfb.greeting, ...rfb.encodings(0, 7)])
  })

  it('text of other clipboards is as long as it says, with its sign or without', () => {
    const extended = [6, 0, 0, 0, 255, 255, 255, 252, 1, 2, 3, 4]
    expect(through([...rfb.greeting, ...extended, ...rfb.picture], { mayControl: false }).got).toEqual([
      ...rfb.greeting,
      ...rfb.picture,
    ])
  })

  it.each<[string, number[]]>([
    ['another version', Array.from('RFB 003.003\n', (c) => c.charCodeAt(0))],
    ['no version at all', Array.from({ length: 12 }, () => 0)],
    ['a password', [...rfb.greeting.slice(0, 12), 2]],
    ['an unknown type', [...rfb.greeting, 250, 0, 1, 2]],
    ['sound', [...rfb.greeting, 255, 1, 0, 0]],
    ['too many encodings', [...rfb.greeting, 2, 0, 1, 1]],
    ['too much text', [...rfb.greeting, 6, 0, 0, 0, 0, 16, 0, 1]],
    ['the longest text that a number has room for', [...rfb.greeting, 6, 0, 0, 0, 128, 0, 0, 0]],
    ['too many screens', [...rfb.greeting, 251, 0, 0, 1, 0, 1, 17, 0]],
  ])('%s ends it, for every client', (_, sent) => {
    for (const mayControl of [true, false])
      for (const size of [1, Infinity]) expect(() => through(sent, { mayControl, size })).toThrow(RfbError)
  })

  it('random bytes end it or are cut as if they came at once', () => {
    let seed = 42
    const random = (below: number) => {
      seed = (seed * 1_103_515_245 + 12_345) % 2 ** 31
      return Math.floor((seed / 2 ** 31) * below)
    }
    const pieces = [...Object.values({ ...rfb, encodings: rfb.encodings(1, 2) }).slice(1), format]
    for (let round = 0; round < 300; round++) {
      const sent = [...rfb.greeting]
      for (let i = 0; i < 6; i++)
        sent.push(...(random(8) === 0 ? [random(256)] : (pieces[random(pieces.length)] ?? [])))
      const outcome = (size: number) => {
        try {
          return through(sent, { mayControl: false, size }).got
        } catch (error) {
          return String(error)
        }
      }
      expect(outcome(1 + random(9))).toEqual(outcome(Infinity))
      const got = outcome(3)
      if (typeof got === 'string') expect(got).toContain('the client sends')
    }
  })
})
