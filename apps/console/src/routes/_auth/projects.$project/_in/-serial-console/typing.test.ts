import { describe, expect, it } from 'vitest'
import { testTimer } from './testTimer.ts'
import { bytesOf, encode, linesOf, pieces, Typist } from './typing.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('bytes of what is typed', () => {
  it('are UTF-8', () => expect([...encode('é漢')]).toEqual([0xc3, 0xa9, 0xe6, 0xbc, 0xa2]))
  it('of a mouse report are one per character', () =>
    expect([...bytesOf('\x1b[Mÿ')]).toEqual([27, 91, 77, 255]))
  it('are never cut inside a character', () => {
    const cut = pieces(encode('aé漢🦀b'), 4)
    expect(cut.map(text)).toEqual(['aé', '漢', '🦀', 'b'])
    expect(cut.every((piece) => piece.length <= 4)).toBe(true)
  })
  it('that are no text are cut all the same', () => {
    expect(pieces(Uint8Array.of(0x80, 0x80, 0x80), 2).flatMap((piece) => [...piece])).toEqual([
      0x80, 0x80, 0x80,
    ])
  })
})

const typist = () => {
  const timer = testTimer()
  const sent: string[] = []
  return { timer, sent, to: new Typist((bytes) => sent.push(text(bytes)), timer) }
}

describe('typing', () => {
  it('sends single keys at once', () => {
    const { sent, to } = typist()
    to.type(encode('a'))
    to.type(encode('b'))
    expect(sent).toEqual(['a', 'b'])
  })
  it('sends a long paste bit by bit, and all of it', () => {
    const { sent, timer, to } = typist()
    const paste = 'x'.repeat(1000)
    to.type(encode(paste))
    expect(sent.join('')).toHaveLength(128)
    timer.advance(12)
    expect(sent.join('')).toHaveLength(256)
    timer.advance(1000)
    expect(sent.join('')).toBe(paste)
  })
  it('keeps the order of a key pressed while a paste is under way', () => {
    const { sent, timer, to } = typist()
    to.type(encode('x'.repeat(200)))
    to.type(encode('y'))
    timer.advance(100)
    expect(sent.join('')).toBe(`${'x'.repeat(200)}y`)
  })
  it('forgets a paste whose line went dead', () => {
    const { sent, timer, to } = typist()
    to.type(encode('x'.repeat(500)))
    to.clear()
    timer.advance(1000)
    expect(sent.join('')).toHaveLength(128)
  })
})

describe('lines of a paste', () => {
  it.each([
    ['ls', 1],
    ['ls\n', 1],
    ['cd /\r\nls', 2],
    ['a\nb\nc\n', 3],
  ])('%j: %s', (paste, lines) => expect(linesOf(paste)).toBe(lines))
})
