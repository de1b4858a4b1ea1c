/** Sends a file into a disk, several chunks at a time. */
import { open, type FileHandle } from 'node:fs/promises'
import { limits } from '@purlin/contract/rules/limits'
import { CliError } from '../errors.ts'
import type { Api } from '../http/api.ts'
import type { Io } from '../io.ts'
import { progressOf } from './progress.ts'
import { keepSent, type FileFacts } from './record.ts'

const { chunk } = limits.bulkWrite
const atATime = 4
const pauses = [1000, 2000, 4000, 8000, 15_000, 15_000]
const keepEvery = 64

export interface Target {
  id: string
  blockSize: number
}

interface Transfer {
  io: Io
  api: Api
  file: FileHandle
  facts: FileFacts
  target: Target
}

/** Sends the file from an offset on. The end of its last block is filled with zeros. */
export async function transfer(how: Omit<Transfer, 'file'>, from: number): Promise<void> {
  const { io, facts, target } = how
  const file = await open(facts.path)
  const progress = progressOf(io, { from, total: facts.size })
  const pending = new Set<number>()
  let next = from
  let count = 0
  const sent = () => Math.min(next, ...pending)
  const keep = () => keepSent(io, target.id, { ...facts, sent: sent() })
  keep()
  const work = async () => {
    while (next < facts.size) {
      const offset = next
      pending.add(offset)
      next += chunk
      await sendChunk({ ...how, file }, offset)
      pending.delete(offset)
      if (++count % keepEvery === 0) keep()
      await progress.moved(sent())
    }
  }
  try {
    await Promise.all(Array.from({ length: atATime }, work))
  } finally {
    keep()
    await progress.end()
    await file.close()
  }
}

async function sendChunk({ io, api, file, target }: Transfer, offset: number): Promise<void> {
  const bytes = await readChunk(file, offset, target.blockSize)
  for (const pause of [...pauses, null]) {
    try {
      return await api.sendBytes('diskBlocksWrite', { params: { disk: target.id }, query: { offset } }, bytes)
    } catch (error) {
      if (pause === null || !isPassing(error)) throw error
      await io.sleep(pause)
    }
  }
}

/** Failures of the network, and of a server that is busy. */
const isPassing = (error: unknown): boolean =>
  error instanceof CliError
    ? error.kind === 'server'
    : error instanceof Error && 'code' in error && error.name !== 'AbortError'

async function readChunk(file: FileHandle, offset: number, blockSize: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(chunk)
  let length = 0
  while (length < chunk) {
    const { bytesRead } = await file.read(bytes, length, chunk - length, offset + length)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, Math.ceil(length / blockSize) * blockSize)
}
