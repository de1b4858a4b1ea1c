/**
 * Bytes of disks as files. A layer has its `data`, and with a parent its `map`. Nothing is kept in memory, so a layer
 * takes only the space of its bytes, and a crash leaves nothing to repair.
 */
import { mkdirSync } from 'node:fs'
import { open, readdir, stat, unlink, type FileHandle } from 'node:fs/promises'
import {
  BytesMissing,
  createKeyedLock,
  LayerOpen,
  StorageFull,
  yieldToEventLoop,
  type Blobs,
  type Layer,
} from '@purlin/core/ports'
import { dropAside, putAside } from './files-aside.ts'
import { createWrittenFiles } from './written-files.ts'
import { isFullError, messageOf, systemCodeOf } from './error-codes.ts'
import { extent, layerFile, layerFileKinds, layerOfFile, type LayerFileKind } from './layer-files.ts'

const nothing = new Uint8Array(0)
const isMissing = (error: unknown) => systemCodeOf(error) === 'ENOENT'

const elsewhere = (reason: string) => () => Promise.reject(new Error(reason))

/** Used if the folder is not that of the database: it reads and writes nothing. */
export const unreachableBlobs = (reason: string): Blobs => ({
  ...readOnlyBlobs({ read: elsewhere(reason), missing: elsewhere(reason), used: elsewhere(reason) }, reason),
  unreachable: reason,
})

/** Used if the folder belongs to another database: it writes and removes nothing. */
export const readOnlyBlobs = (
  { read, missing, used }: Pick<Blobs, 'read' | 'missing' | 'used'>,
  reason: string,
): Blobs => ({
  read,
  missing,
  used,
  readOnly: reason,
  write: elsewhere(reason),
  flush: elsewhere(reason),
  remove: elsewhere(reason),
  putAside: elsewhere(reason),
  dropAside: elsewhere(reason),
  list: elsewhere(reason),
})

type PathOf = (layer: string, kind: LayerFileKind) => string
interface Range {
  from: number
  to: number
}

/**
 * Creates the folder, readable by its owner only, and stores layers in it. While `isFull`, it writes nothing: the
 * remaining space is for deletes.
 */
export function openBlobs(folder: string, isFull = () => false): Blobs {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf: PathOf = (layer, kind) => layerFile(folder, layer, kind)
  const copying = createKeyedLock()
  const files = createWrittenFiles()

  async function put(chain: readonly Layer[], offset: number, bytes: Uint8Array): Promise<void> {
    const [layer] = chain
    if (!layer) return
    const { id, hasBytes } = layer
    const write = (kind: 'data' | 'map', at: number, some: Uint8Array) =>
      files.write(pathOf(id, kind), { offset: at, bytes: some, isThere: hasBytes })
    // The files of a layer exist from its first write on, even if it writes only zeros.
    if (!hasBytes) {
      await write('data', 0, nothing)
      if (chain.length > 1) await write('map', 0, nothing)
    }
    // A hole reads as zeros.
    if (isZero(bytes) && isZero(await read(chain, offset, bytes.length))) return
    if (chain.length > 1) await copyUp(chain, { from: offset, to: offset + bytes.length }, write)
    await write('data', offset, bytes)
    if (chain.length === 1) return
    const first = Math.floor(offset / extent)
    const end = Math.ceil((offset + bytes.length) / extent)
    await write('map', first, new Uint8Array(end - first).fill(1))
  }

  /** Before a part of an extent is written for the first time, the rest of it is copied from the layers below. */
  async function copyUp(
    [layer, ...beneath]: readonly Layer[],
    { from, to }: Range,
    write: (kind: 'data', at: number, some: Uint8Array) => Promise<void>,
  ): Promise<void> {
    if (!layer) return
    const edges = new Set([from, to].filter((at) => at % extent !== 0).map((at) => Math.floor(at / extent)))
    for (const index of edges) {
      const [mark] = await marksOf(pathOf, layer, { from: index, to: index + 1 })
      if (mark) continue
      await write('data', index * extent, await read(beneath, index * extent, extent))
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
      const [layer] = chain
      // Copying up two parts of one extent at the same time would lose one of them.
      return explain(chain.length > 1 ? copying.exclusive(layer?.id ?? '', work) : work(), layer)
    },
    missing: (chain) => missingIn(pathOf, chain),
    flush: async (layer) => {
      for (const kind of layerFileKinds.toReversed())
        await explain(withFile(pathOf(layer, kind), (file) => file.datasync()))
      await explain(withFile(folder, (file) => file.sync()))
    },
    remove: async (layer) => {
      for (const path of layerFileKinds.map((kind) => pathOf(layer, kind))) {
        await files.close(path)
        await unlink(path).catch((error: unknown) => ignoreMissing(error))
      }
    },
    putAside: async (layer, now) => {
      for (const path of layerFileKinds.map((kind) => pathOf(layer, kind))) {
        await files.close(path)
        await putAside(path, now)
      }
    },
    dropAside: (until) => dropAside(folder, until),
    list: () => layersIn(folder),
    used: (layer) => roomOf(pathOf(layer, 'data')),
  }
}

async function layersIn(folder: string): Promise<string[]> {
  const ids = (await readdir(folder)).map(layerOfFile)
  return [...new Set(ids)].filter((id) => id !== undefined)
}

async function roomOf(path: string): Promise<number> {
  const found = await stat(path).catch((error: unknown) => ignoreMissing(error))
  return found ? found.blocks * 512 : 0
}

/** The layers that should have files but lack one. */
async function missingIn(pathOf: PathOf, chain: readonly Layer[]): Promise<string[]> {
  const missing: string[] = []
  for (const [depth, { id, hasBytes }] of chain.entries()) {
    const isLowest = depth === chain.length - 1
    const paths = [pathOf(id, 'data'), ...(isLowest ? [] : [pathOf(id, 'map')])]
    if (hasBytes && (await Promise.all(paths.map(isFile))).includes(false)) missing.push(id)
  }
  return missing
}

/** The extents that a layer has, by its map, one byte each. Throws LayerOpen. */
async function marksOf(pathOf: PathOf, layer: Layer, { from, to }: Range): Promise<Uint8Array> {
  if (await isFile(pathOf(layer.id, 'qcow2'))) throw new LayerOpen(layer.id)
  const marks = new Uint8Array(to - from)
  await readInto(pathOf(layer.id, 'map'), { to: marks, at: from, layer })
  return marks
}

async function readChain(pathOf: PathOf, chain: readonly Layer[], range: Range): Promise<Uint8Array> {
  if (chain.length === 0) await yieldToEventLoop()
  const out = new Uint8Array(range.to - range.from)
  const first = Math.floor(range.from / extent)
  const missing = new Uint8Array(Math.ceil(range.to / extent) - first).fill(1)
  for (const [depth, layer] of chain.entries()) {
    if (!missing.includes(1)) break
    // The lowest layer has everything that is still missing.
    const isLowest = depth === chain.length - 1
    const marks = isLowest
      ? missing
      : await marksOf(pathOf, layer, { from: first, to: first + missing.length })
    const toRead = marks.map((mark, i) => mark & (missing[i] ?? 0))
    for (const { from, to } of runs(toRead)) {
      const start = Math.max(range.from, (first + from) * extent)
      const end = Math.min(range.to, (first + to) * extent)
      const part = out.subarray(start - range.from, end - range.from)
      await readInto(pathOf(layer.id, 'data'), { to: part, at: start, layer })
      missing.fill(0, from, to)
    }
  }
  return out
}

function ignoreMissing(error: unknown): undefined {
  if (!isMissing(error)) throw error
}

const isFile = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    (error: unknown) => ignoreMissing(error) ?? false,
  )

/** Opens a file to read or sync it. False if there is none. */
async function withFile(path: string, work: (file: FileHandle) => Promise<unknown>): Promise<boolean> {
  const file = await open(path, 'r').catch((error: unknown) => ignoreMissing(error))
  if (!file) return false
  try {
    await work(file)
    return true
  } finally {
    await file.close()
  }
}

/** Reads from a file of a layer. Throws BytesMissing if the file should be there and is not. */
async function readInto(
  path: string,
  { to, at, layer }: { to: Uint8Array; at: number; layer: Layer },
): Promise<void> {
  const isThere = await withFile(path, (file) => file.read(to, 0, to.length, at))
  if (!isThere && layer.hasBytes) throw new BytesMissing([layer.id])
}

/** Throws StorageFull and, for a layer that should have its files, BytesMissing. */
async function explain<T>(work: Promise<T>, layer?: Layer): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (layer?.hasBytes && isMissing(error)) throw new BytesMissing([layer.id])
    throw isFullError(error) ? new StorageFull(messageOf(error), { cause: error }) : error
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
