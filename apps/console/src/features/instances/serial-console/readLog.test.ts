import { describe, expect, it } from 'vitest'
import { readLog, type ReadPiece } from './readLog.ts'

/** A server that keeps the first and the latest `kept` bytes, and reads `most` at once. */
function server(output: string, { kept = 1000, most = 4 } = {}) {
  const bytes = [...new TextEncoder().encode(output)]
  const tail = Math.max(kept, bytes.length - kept)
  const from = (at: number) => {
    const end = Math.min(at < kept && tail > kept ? kept : bytes.length, at + most)
    return { data: bytes.slice(at, end), lastByteOffset: Math.max(at, end) }
  }
  const read: ReadPiece = async (range) => {
    if ('fromStart' in range) {
      if (range.fromStart >= kept && range.fromStart < tail) throw new Error('dropped')
      return from(range.fromStart)
    }
    const start = bytes.length - range.mostRecent
    return from(start >= kept ? Math.max(start, tail) : start)
  }
  return read
}
const isDropped = (error: unknown) => error instanceof Error && error.message === 'dropped'
const read = async (from: ReadPiece) => {
  const { parts, dropped } = await readLog(from, isDropped)
  return { text: parts.map((part) => new TextDecoder().decode(part)).join(''), dropped }
}

describe('the log of a serial console', () => {
  it('is read piece by piece', async () => {
    expect(await read(server('0123456789'))).toEqual({ text: '0123456789', dropped: 0 })
    expect(await read(server(''))).toEqual({ text: '', dropped: 0 })
  })
  it('says where the server has dropped output, and how much', async () => {
    expect(await read(server('abcdefghijklmnopqrstuvwxyz', { kept: 6 }))).toEqual({
      text: 'abcdef\r\n[14 bytes of output are not kept by the server]\r\nuvwxyz',
      dropped: 14,
    })
  })
  it('fails if a read fails', async () => {
    const failing: ReadPiece = (range) =>
      'fromStart' in range ? Promise.reject(new Error('not reachable')) : server('abc')(range)
    await expect(readLog(failing, isDropped)).rejects.toThrow('not reachable')
  })
})
