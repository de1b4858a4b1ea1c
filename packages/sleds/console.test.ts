import { describe, expect, it } from 'vitest'
import { ConsoleLog, SerialConsole } from './console.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (s: string) => new TextEncoder().encode(s)

/** A log that keeps 8 + 8 bytes and has seen `s`, written in pieces of `piece` bytes. */
const logOf = (s: string, piece = s.length) => {
  const log = new ConsoleLog(8)
  for (let at = 0; at < s.length; at += piece) log.append(bytes(s.slice(at, at + piece)))
  return log
}
const read = (log: ConsoleLog, from: number, max = 100) => {
  const chunk = log.from(from, max)
  return chunk === 'dropped' ? chunk : `${text(chunk.data)}|${chunk.end}`
}
const letters = 'abcdefghijklmnopqrstuvwxyz'

describe('console log', () => {
  it('keeps everything up to twice the limit', () => {
    const log = logOf(letters.slice(0, 16), 3)
    expect(read(log, 0)).toBe('abcdefghijklmnop|16')
    expect(read(log, 6, 4)).toBe('ghij|10')
    expect(log.total).toBe(16)
  })

  it.each([1, 3, 7, 26])('keeps the first and the latest part, written %i bytes at a time', (piece) => {
    const log = logOf(letters, piece)
    expect(read(log, 0)).toBe('abcdefgh|8')
    expect(read(log, 18)).toBe('stuvwxyz|26')
    expect(read(log, 20, 3)).toBe('uvw|23')
    for (const from of [8, 12, 17]) expect(read(log, from)).toBe('dropped')
  })

  it('is empty at the end and past it, and names the end', () => {
    expect(read(logOf('abc'), 3)).toBe('|3')
    expect(read(logOf('abc'), 99)).toBe('|3')
    expect(read(logOf(''), 0)).toBe('|0')
  })

  it('reads the last bytes forward from where they begin', () => {
    const log = logOf('abcdefghij')
    expect(text(log.last(4, 100).data)).toBe('ghij')
    expect(log.last(4, 2)).toMatchObject({ end: 8 })
    expect(text(log.last(4, 2).data)).toBe('gh')
    expect(text(log.last(0, 100).data)).toBe('')
  })

  it('begins at 0 if more is asked than was ever written', () => {
    expect(text(logOf('abc').last(50, 100).data)).toBe('abc')
    expect(log26().last(26, 100).end).toBe(8)
  })

  it('begins with the latest part if the last bytes reach into the dropped middle', () => {
    expect(text(log26().last(12, 100).data)).toBe('stuvwxyz')
    expect(text(log26().last(22, 100).data)).toBe('stuvwxyz')
  })

  it('replays both retained parts when all history is asked for', () => {
    expect(text(log26().replay(Infinity))).toBe('abcdefghstuvwxyz')
    expect(text(log26().replay(3))).toBe('xyz')
    expect(log26().replay(0).length).toBe(0)
  })
})

const log26 = () => logOf(letters, 5)

const listen = () => {
  const heard: string[] = []
  const to = {
    data: (part: Uint8Array) => void heard.push(text(part)),
    closed: (reason: string) => void heard.push(`<${reason}>`),
  }
  return { heard, to }
}

describe('serial console', () => {
  it('replays history, then follows', () => {
    const serial = new SerialConsole()
    serial.print(bytes('past '))
    const { heard, to } = listen()
    serial.attach(3, to)
    serial.print(bytes('now'))
    expect(heard).toEqual(['st ', 'now'])
  })

  it('gives one who joins while output is under way that output once', () => {
    const serial = new SerialConsole()
    const late = listen()
    const leave = serial.attach(0, {
      data: () => {
        leave()
        serial.attach(100, late.to)
      },
      closed: () => {},
    })
    serial.print(bytes('once'))
    expect(late.heard).toEqual(['once'])
  })

  it('goes on for the others when one leaves', () => {
    const serial = new SerialConsole()
    const [leaver, stayer] = [listen(), listen()]
    const leave = serial.attach(0, leaver.to)
    serial.attach(0, stayer.to)
    leave()
    serial.print(bytes('x'))
    serial.hangUp('VM stopped')
    expect(leaver.heard).toEqual([])
    expect(stayer.heard).toEqual(['x', '<VM stopped>'])
  })
})
