import { describe, expect, it } from 'vitest'
import { testTimer } from './testTimer.ts'
import { bytesOf, encode, linesOf, splitUtf8, PacedSender } from './typing.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)

describe('bytes of typed text', () => {
  it('are UTF-8', () => expect([...encode('é漢')]).toEqual([0xc3, 0xa9, 0xe6, 0xbc, 0xa2]))
  it('of a mouse report are one per character', () =>
    expect([...bytesOf('\x1b[Mÿ')]).toEqual([27, 91, 77, 255]))
  it('are never split inside a character', () => {
    const cut = splitUtf8(encode('aé漢🦀b'), 4)
    expect(cut.map(text)).toEqual(['aé', '漢', '🦀', 'b'])
    expect(cut.every((piece) => piece.length <= 4)).toBe(true)
  })
  it('are split also if they are not UTF-8', () => {
    expect(splitUtf8(Uint8Array.of(0x80, 0x80, 0x80), 2).flatMap((piece) => [...piece])).toEqual([
      0x80, 0x80, 0x80,
    ])
  })
})

const typist = () => {
  const timer = testTimer()
  const sent: string[] = []
  return { timer, sent, to: new PacedSender((bytes) => sent.push(text(bytes)), timer) }
}

describe('typing', () => {
  it('sends single keys immediately', () => {
    const { sent, to } = typist()
    to.type(encode('a'))
    to.type(encode('b'))
    expect(sent).toEqual(['a', 'b'])
  })
  it('sends a long paste in chunks', () => {
    const { sent, timer, to } = typist()
    const paste = 'x'.repeat(1000)
    to.type(encode(paste))
    expect(sent.join('')).toHaveLength(128)
    timer.advance(12)
    expect(sent.join('')).toHaveLength(256)
    timer.advance(1000)
    expect(sent.join('')).toBe(paste)
  })
  it('keeps the order of a key pressed during a paste', () => {
    const { sent, timer, to } = typist()
    to.type(encode('x'.repeat(200)))
    to.type(encode('y'))
    timer.advance(100)
    expect(sent.join('')).toBe(`${'x'.repeat(200)}y`)
  })
  it('drops a paste when the connection is lost', () => {
    const { sent, timer, to } = typist()
    to.type(encode('x'.repeat(500)))
    to.clear()
    timer.advance(1000)
    expect(sent.join('')).toHaveLength(128)
  })
})

describe('the progress of a paste', () => {
  it('is that of a long one, until all of it is sent', () => {
    const { timer, to } = typist()
    to.type(encode('x'.repeat(1000)))
    expect(to.progress.get()).toBeUndefined()
    timer.advance(1000)
    to.type(encode('x'.repeat(12_800)))
    expect(to.progress.get()).toBe(1)
    timer.advance(49 * 12)
    expect(to.progress.get()).toBe(50)
    timer.advance(10_000)
    expect(to.progress.get()).toBeUndefined()
  })
  it('ends when it is stopped: nothing more is sent, except the end that a guest waits for', () => {
    const { sent, timer, to } = typist()
    to.type(encode('x'.repeat(5000)))
    to.stop()
    timer.advance(1000)
    expect(sent.join('')).toHaveLength(128)
    expect(to.progress.get()).toBeUndefined()
    to.type(encode(`\x1b[200~${'y'.repeat(5000)}\x1b[201~`))
    to.stop()
    to.type(encode('z'))
    timer.advance(1000)
    expect(sent.join('').slice(128)).toBe(`\x1b[200~${'y'.repeat(122)}\x1b[201~z`)
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
