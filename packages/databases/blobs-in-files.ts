/**
 * Bytes of disks as files. `ID.data` is sparse and holds every byte of a layer at its own offset. A layer
 * above another one has `ID.map` beside it, one byte per extent, 1 where the layer holds it. Nothing is
 * kept in memory, so a layer takes the room of its own bytes and a crash leaves nothing to repair.
 */
import { mkdirSync } from 'node:fs'
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { createKeyedLock, StorageFull, yieldToEventLoop, type Blobs } from '@purlin/core/ports'
import { createWrittenFiles } from './written-files.ts'

const extent = 64 * 1024
const fileName = /^([0-9a-f-]{36})\.(?:data|map)$/
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

const elsewhere = (reason: string) => () => Promise.reject(new Error(reason))

/** In place of a folder that is another one than that of the database: nothing is read or written. */
export const unreachableBlobs = (reason: string): Blobs => ({
  unreachable: reason,
  read: elsewhere(reason),
  write: elsewhere(reason),
  flush: elsewhere(reason),
  remove: elsewhere(reason),
  list: elsewhere(reason),
  used: elsewhere(reason),
})

type PathOf = (layer: string, kind: 'data' | 'map') => string
interface Range {
  from: number
  to: number
}

/**
 * Makes the folder, readable by its owner only, and keeps layers in it. While `isFull`, nothing is written: the
 * room that is left is for what frees some.
 */
export function openBlobs(folder: string, isFull = () => false): Blobs {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf: PathOf = (layer, kind) => join(folder, `${layer}.${kind}`)
  const copying = createKeyedLock()
  const files = createWrittenFiles()

  async function put(chain: readonly string[], offset: number, bytes: Uint8Array): Promise<void> {
    const [layer = ''] = chain
    // A hole reads as zeros by itself.
    if (isZero(bytes) && isZero(await read(chain, offset, bytes.length))) return
    if (chain.length > 1) await copyUp(chain, offset, offset + bytes.length)
    await files.write(pathOf(layer, 'data'), offset, bytes)
    if (chain.length === 1) return
    const first = Math.floor(offset / extent)
    const end = Math.ceil((offset + bytes.length) / extent)
    await files.write(pathOf(layer, 'map'), first, new Uint8Array(end - first).fill(1))
  }

  /** Before a part of an extent is written for the first time, the rest of it is copied from the layers below. */
  async function copyUp(
    [layer = '', ...beneath]: readonly string[],
    start: number,
    end: number,
  ): Promise<void> {
    const edges = new Set([start, end].filter((at) => at % extent !== 0).map((at) => Math.floor(at / extent)))
    for (const index of edges) {
      const [mark] = await marksOf(pathOf(layer, 'map'), index, 1)
      if (mark) continue
      await files.write(pathOf(layer, 'data'), index * extent, await read(beneath, index * extent, extent))
    }
  }

  const read: Blobs['read'] = (chain, offset, length) =>
    readChain(pathOf, chain, { from: offset, to: offset + length })

  return {
    read,
    write: (chain, offset, bytes) => {
      if (bytes.length === 0) return Promise.resolve()
      if (isFull()) return Promise.reject(new StorageFull('the reserve has been given up'))
      const work = () => put(chain, offset, bytes)
      // Copying up two parts of one extent at the same time would lose one of them.
      return explain(chain.length > 1 ? copying.exclusive(chain[0] ?? '', work) : work())
    },
    flush: async (layer) => {
      for (const kind of ['data', 'map'] as const)
        await explain(withFile(pathOf(layer, kind), (file) => file.datasync()))
      await explain(withFile(folder, (file) => file.sync()))
    },
    remove: async (layer) => {
      for (const path of [pathOf(layer, 'map'), pathOf(layer, 'data')]) {
        await files.close(path)
        await unlink(path).catch((error: unknown) => ignoreMissing(error))
      }
    },
    list: async () => {
      const ids = (await readdir(folder)).map((name) => fileName.exec(name)?.[1])
      return [...new Set(ids)].filter((id) => id !== undefined)
    },
    used: async (layer) => {
      const found = await stat(pathOf(layer, 'data')).catch((error: unknown) => ignoreMissing(error))
      return found ? found.blocks * 512 : 0
    },
  }
}

/** Which of the extents from `first` on a layer holds, by its map, one byte each. */
async function marksOf(map: string, first: number, count: number): Promise<Uint8Array> {
  const marks = new Uint8Array(count)
  await readInto(map, marks, first)
  return marks
}

async function readChain(pathOf: PathOf, chain: readonly string[], range: Range): Promise<Uint8Array> {
  if (chain.length === 0) await yieldToEventLoop()
  const out = new Uint8Array(range.to - range.from)
  const first = Math.floor(range.from / extent)
  const missing = new Uint8Array(Math.ceil(range.to / extent) - first).fill(1)
  for (const [depth, layer] of chain.entries()) {
    if (!missing.includes(1)) break
    // The lowest layer holds all that is still missing.
    const isLowest = depth === chain.length - 1
    const marks = isLowest ? missing : await marksOf(pathOf(layer, 'map'), first, missing.length)
    const wanted = marks.map((mark, i) => mark & (missing[i] ?? 0))
    for (const { from, to } of runs(wanted)) {
      const start = Math.max(range.from, (first + from) * extent)
      const end = Math.min(range.to, (first + to) * extent)
      await readInto(pathOf(layer, 'data'), out.subarray(start - range.from, end - range.from), start)
      missing.fill(0, from, to)
    }
  }
  return out
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

/** Opens a file to read or sync it; nothing happens if there is none. */
async function withFile(path: string, work: (file: FileHandle) => Promise<unknown>): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => ignoreMissing(error))
  if (!file) return
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

const readInto = (path: string, to: Uint8Array, at: number): Promise<void> =>
  withFile(path, (file) => file.read(to, 0, to.length, at))

async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw fullCodes.has(code) ? new StorageFull(message, { cause: error }) : error
  }
}

const zeros = Buffer.alloc(extent)

function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += extent) {
    const chunk = bytes.subarray(at, at + extent)
    if (zeros.compare(chunk, 0, chunk.length, 0, chunk.length) !== 0) return false
  }
  return true
}

/** Runs of consecutive ones. */
function* runs(marks: Uint8Array): Generator<Range> {
  for (let from = marks.indexOf(1); from >= 0;) {
    const end = marks.indexOf(0, from)
    const to = end < 0 ? marks.length : end
    yield { from, to }
    from = marks.indexOf(1, to)
  }
}
