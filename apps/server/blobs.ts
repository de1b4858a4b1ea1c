/**
 * Bytes of disks as files. `ID.data` is sparse and holds every byte of a layer at its own offset. A layer
 * above another one has `ID.map` beside it, one byte per extent, 1 where the layer holds it. Nothing is
 * kept in memory, so a layer costs what it holds and a crash leaves nothing to mend.
 */
import { mkdirSync } from 'node:fs'
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import { StorageFull, type Blobs } from '@purlin/core/ports'
import { createWrittenFiles } from './written-files.ts'

const extent = 64 * 1024
const fileName = /^([0-9a-f-]{36})\.(?:data|map)$/
const isMissing = (error: unknown) => (error as NodeJS.ErrnoException).code === 'ENOENT'
const fullCodes = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

type PathOf = (layer: string, kind: 'data' | 'map') => string
interface Range {
  from: number
  to: number
}

/** Makes the folder, readable by its owner only, and keeps layers in it. */
export function openBlobs(folder: string): Blobs {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf: PathOf = (layer, kind) => join(folder, `${layer}.${kind}`)
  const copying = createLocks()
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

  /** Before a part of an extent is written for the first time, the rest of it comes up from beneath. */
  async function copyUp(
    [layer = '', ...beneath]: readonly string[],
    start: number,
    end: number,
  ): Promise<void> {
    const edges = new Set([start, end].filter((at) => at % extent !== 0).map((at) => Math.floor(at / extent)))
    for (const index of edges) {
      const [mark] = await held(pathOf(layer, 'map'), index, 1)
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
      const work = () => put(chain, offset, bytes)
      // Two parts of one extent that come up at the same time would undo each other.
      return explain(chain.length > 1 ? copying(chain[0] ?? '', work) : work())
    },
    flush: async (layer) => {
      for (const kind of ['data', 'map'] as const)
        await explain(within(pathOf(layer, kind), (file) => file.datasync()))
      await explain(within(folder, (file) => file.sync()))
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
async function held(map: string, first: number, count: number): Promise<Uint8Array> {
  const marks = new Uint8Array(count)
  await readInto(map, marks, first)
  return marks
}

async function readChain(pathOf: PathOf, chain: readonly string[], range: Range): Promise<Uint8Array> {
  if (chain.length === 0) await turn()
  const out = new Uint8Array(range.to - range.from)
  const first = Math.floor(range.from / extent)
  const missing = new Uint8Array(Math.ceil(range.to / extent) - first).fill(1)
  for (const [depth, layer] of chain.entries()) {
    if (!missing.includes(1)) break
    // The lowest one holds whatever is missing still.
    const isLowest = depth === chain.length - 1
    const marks = isLowest ? missing : await held(pathOf(layer, 'map'), first, missing.length)
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
async function within(path: string, work: (file: FileHandle) => Promise<unknown>): Promise<void> {
  const file = await open(path, 'r').catch((error: unknown) => ignoreMissing(error))
  if (!file) return
  try {
    await work(file)
  } finally {
    await file.close()
  }
}

const readInto = (path: string, to: Uint8Array, at: number): Promise<void> =>
  within(path, (file) => file.read(to, 0, to.length, at))

async function explain<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    throw fullCodes.has(code) ? new StorageFull(message, { cause: error }) : error
  }
}

/** Lets one task per key through at a time, in order. */
function createLocks() {
  const last = new Map<string, Promise<unknown>>()
  return async <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const mine = (last.get(key) ?? Promise.resolve()).then(task)
    const ended = mine.catch(() => undefined)
    last.set(key, ended)
    try {
      return await mine
    } finally {
      if (last.get(key) === ended) last.delete(key)
    }
  }
}

const zeros = Buffer.alloc(extent)

function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at += extent) {
    const piece = bytes.subarray(at, at + extent)
    if (zeros.compare(piece, 0, piece.length, 0, piece.length) !== 0) return false
  }
  return true
}

/** Where ones stand together. */
function* runs(marks: Uint8Array): Generator<Range> {
  for (let from = marks.indexOf(1); from >= 0;) {
    const end = marks.indexOf(0, from)
    const to = end < 0 ? marks.length : end
    yield { from, to }
    from = marks.indexOf(1, to)
  }
}
