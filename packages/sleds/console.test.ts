import { describe, expect, it } from 'vitest'
import { ConsoleLog, SerialConsole } from './console.ts'

const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes)
const bytes = (s: string) => new TextEncoder().encode(s)

/** A log that keeps 8 + 8 bytes, to which `s` was written `size` bytes at a time. */
const logOf = (s: string, size = s.length) => {
  const log = new ConsoleLog(8)
  for (let at = 0; at < s.length; at += size) log.append(bytes(s.slice(at, at + size)))
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

  it.each([1, 3, 7, 26])('keeps the first and the latest part if written %i bytes at a time', (size) => {
    const log = logOf(letters, size)
    expect(read(log, 0)).toBe('abcdefgh|8')
    expect(read(log, 18)).toBe('stuvwxyz|26')
    expect(read(log, 20, 3)).toBe('uvw|23')
    for (const from of [8, 12, 17]) expect(read(log, from)).toBe('dropped')
  })

  it('is empty at the end and past it, and returns the end', () => {
    expect(read(logOf('abc'), 3)).toBe('|3')
    expect(read(logOf('abc'), 99)).toBe('|3')
    expect(read(logOf(''), 0)).toBe('|0')
  })

  it('reads the last bytes in order', () => {
    const log = logOf('abcdefghij')
    expect(text(log.last(4, 100).data)).toBe('ghij')
    expect(log.last(4, 2)).toMatchObject({ end: 8 })
    expect(text(log.last(4, 2).data)).toBe('gh')
    expect(text(log.last(0, 100).data)).toBe('')
  })

  it('begins at 0 if more bytes are requested than were written', () => {
    expect(text(logOf('abc').last(50, 100).data)).toBe('abc')
    expect(log26().last(26, 100).end).toBe(8)
  })

  it('begins with the latest part if the last bytes begin in the dropped middle', () => {
    expect(text(log26().last(12, 100).data)).toBe('stuvwxyz')
    expect(text(log26().last(22, 100).data)).toBe('stuvwxyz')
  })

  it('replays both parts if the whole history is requested', () => {
    expect(text(log26().replay({ last: Infinity }))).toBe('abcdefghstuvwxyz')
    expect(text(log26().replay({ last: 3 }))).toBe('xyz')
    expect(log26().replay({ last: 0 }).length).toBe(0)
  })
})

const log26 = () => logOf(letters, 5)

const listen = () => {
  const received: string[] = []
  const to = {
    data: (part: Uint8Array) => void received.push(text(part)),
    closed: (reason: string) => void received.push(`<${reason}>`),
  }
  return { received, to }
}

describe('serial console', () => {
  it('replays history, then follows', () => {
    const serial = new SerialConsole()
    serial.print(bytes('past '))
    const { received, to } = listen()
    serial.attach({ last: 3 }, to)
    serial.print(bytes('now'))
    expect(received).toEqual(['st ', 'now'])
  })

  it('gives output once to a listener that attaches while it is delivered', () => {
    const serial = new SerialConsole()
    const late = listen()
    const leave = serial.attach(
      { last: 0 },
      {
        data: () => {
          leave()
          serial.attach({ last: 100 }, late.to)
        },
        closed: () => {},
      },
    )
    serial.print(bytes('once'))
    expect(late.received).toEqual(['once'])
  })

  it('continues for the others if a listener detaches', () => {
    const serial = new SerialConsole()
    const [detached, attached] = [listen(), listen()]
    const leave = serial.attach({ last: 0 }, detached.to)
    serial.attach({ last: 0 }, attached.to)
    leave()
    serial.print(bytes('x'))
    serial.closeAll('VM stopped')
    expect(detached.received).toEqual([])
    expect(attached.received).toEqual(['x', '<VM stopped>'])
  })
})
