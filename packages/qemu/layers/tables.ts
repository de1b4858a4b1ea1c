/**
 * Tables of qcow2 (docs/interop/qcow2.txt of QEMU) for a layer whose bytes are in an external data file, each at its own
 * offset. They only say which extents the layer has.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { extent } from '@purlin/databases/layer-files'
import { writeAll } from '@purlin/databases/written-files'

/** The tables cannot be those of a layer. */
export class TablesDamaged extends Error {
  override name = 'TablesDamaged'
}

/**
 * The marks of a map that was read: 0 for an extent that the layer lacks, and these if it has bytes, or zeros whatever is
 * in the data file.
 */
const hasBytes = 1
export const hasZeros = 2

const magic = Buffer.from('QFI\xfb', 'latin1')
const headerLength = 104
/** QEMU reads no longer names. */
const longestName = 1023
const externalDataFile = 4n
const perTable = extent / 8
const perRefcountBlock = extent / 2
const copied = 1n << 63n
const offsetMask = 0x00ff_ffff_ffff_fe00n
const zeroFlag = 1n
const compressedFlag = 1n << 62n
/** 8 MiB of entries: a disk of 512 TiB. */
const mostTables = 1024 * 1024

/** The clusters of a file of tables: header, refcounts, L1 table, L2 tables. */
interface Layout {
  tables: number
  refcountBlocks: number
  l1At: number
  firstL2: number
  clusters: number
}

function layoutOf(tables: number, used: number): Layout {
  const l1 = Math.ceil(tables / perTable)
  let refcountBlocks = 1
  while (refcountBlocks * perRefcountBlock < 2 + refcountBlocks + l1 + used) refcountBlocks++
  const l1At = 2 + refcountBlocks
  return { tables, refcountBlocks, l1At, firstL2: l1At + l1, clusters: l1At + l1 + used }
}

/** The most bytes that the tables of a layer of `size` bytes have. QEMU may put each one in a new place once. */
export function tablesSize(size: number): number {
  const tables = Math.max(1, Math.ceil(size / extent / perTable))
  return 2 * extent * layoutOf(tables, tables).clusters
}

interface NewTables {
  /** of the layer in bytes, a multiple of 512 */
  size: number
  map: Uint8Array
  /** The file of the node below. QEMU never opens it by this name, but a node is described with all below it unless it is there. */
  below?: string | undefined
  /** They outlive a loss of power. */
  isKept: boolean
}

/** Writes the tables of a layer. The header is written last, so that a file that was not finished is none. */
export async function writeTables(path: string, { size, map, below = '', isKept }: NewTables): Promise<void> {
  const tables = Math.max(1, Math.ceil(size / extent / perTable))
  const ofTable = (table: number) => map.subarray(table * perTable, (table + 1) * perTable)
  const used = Array.from({ length: tables }, (_, table) => table).filter((table) =>
    ofTable(table).includes(hasBytes),
  )
  const layout = layoutOf(tables, used.length)
  const file = await open(path, 'w', 0o600)
  try {
    await writeRefcounts(file, layout)
    const l1 = Buffer.alloc((layout.firstL2 - layout.l1At) * extent)
    for (const [i, table] of used.entries()) {
      const at = (layout.firstL2 + i) * extent
      l1.writeBigUInt64BE(BigInt(at) | copied, table * 8)
      await writeAll(file, at, entriesOf(ofTable(table), table))
    }
    await writeAll(file, layout.l1At * extent, l1)
    if (isKept) await file.datasync()
    await writeAll(file, 0, headerOf(size, layout, below))
    if (isKept) await file.datasync()
  } finally {
    await file.close()
  }
}

async function writeRefcounts(file: FileHandle, { refcountBlocks, clusters }: Layout): Promise<void> {
  const table = Buffer.alloc(extent)
  for (let i = 0; i < refcountBlocks; i++) {
    table.writeBigUInt64BE(BigInt((2 + i) * extent), i * 8)
    const block = Buffer.alloc(extent)
    const here = Math.min(perRefcountBlock, clusters - i * perRefcountBlock)
    for (let cluster = 0; cluster < here; cluster++) block.writeUInt16BE(1, cluster * 2)
    await writeAll(file, (2 + i) * extent, block)
  }
  await writeAll(file, extent, table)
}

function entriesOf(map: Uint8Array, table: number): Buffer {
  const entries = Buffer.alloc(extent)
  for (const [i, mark] of map.entries())
    if (mark === hasBytes) entries.writeBigUInt64BE(BigInt((table * perTable + i) * extent) | copied, i * 8)
  return entries
}

function headerOf(size: number, { tables, l1At }: Layout, below: string): Buffer {
  // The end of the header extensions follows the header: the name of the data file is never in it.
  const endsAt = headerLength + 8
  const name = Buffer.from(Buffer.byteLength(below) > longestName ? '' : below)
  const header = Buffer.alloc(endsAt + name.length)
  magic.copy(header)
  header.writeUInt32BE(3, 4)
  if (name.length > 0) header.writeBigUInt64BE(BigInt(endsAt), 8)
  header.writeUInt32BE(name.length, 16)
  name.copy(header, endsAt)
  header.writeUInt32BE(Math.log2(extent), 20)
  header.writeBigUInt64BE(BigInt(size), 24)
  header.writeUInt32BE(tables, 36)
  header.writeBigUInt64BE(BigInt(l1At * extent), 40)
  header.writeBigUInt64BE(BigInt(extent), 48)
  header.writeUInt32BE(1, 56)
  header.writeBigUInt64BE(externalDataFile, 72)
  header.writeUInt32BE(4, 96)
  header.writeUInt32BE(headerLength, 100)
  return header
}

/**
 * Reads the extents that a layer has, one byte each; null if the file was not finished. Throws TablesDamaged for any
 * tables but those of QEMU for an external data file of at most `most` bytes, the size of the disk: a guest that has taken
 * over its QEMU writes what it likes.
 */
export async function readTables(path: string, most: number): Promise<Uint8Array | null> {
  const file = await open(path, 'r')
  try {
    const header = await piece(file, 0, headerLength)
    if (header.subarray(0, 4).every((byte) => byte === 0)) return null
    const { size, tables, l1At } = parseHeader(header, most)
    const map = new Uint8Array(Math.ceil(size / extent))
    const l1 = await piece(file, l1At, tables * 8)
    for (let table = 0; table < tables; table++) {
      const at = Number(l1.readBigUInt64BE(table * 8) & offsetMask)
      if (at !== 0) readEntries(await piece(file, at, extent), map, table * perTable)
    }
    return map
  } finally {
    await file.close()
  }
}

/** The size that QEMU has written into the tables of a layer, in bytes. */
export async function sizeInTables(path: string): Promise<number> {
  const file = await open(path, 'r')
  try {
    return Number((await piece(file, 0, headerLength)).readBigUInt64BE(24))
  } finally {
    await file.close()
  }
}

async function piece(file: FileHandle, at: number, length: number): Promise<Buffer> {
  const bytes = Buffer.alloc(length)
  await file.read(bytes, 0, length, at)
  return bytes
}

function parseHeader(header: Buffer, most: number): { size: number; tables: number; l1At: number } {
  const size = Number(header.readBigUInt64BE(24))
  const tables = header.readUInt32BE(36)
  const isOurs =
    header.subarray(0, 4).equals(magic) &&
    header.readUInt32BE(4) === 3 &&
    header.readUInt32BE(20) === Math.log2(extent) &&
    (header.readBigUInt64BE(72) & externalDataFile) !== 0n &&
    size <= most &&
    tables <= mostTables &&
    tables * perTable * extent >= size
  if (!isOurs) throw new TablesDamaged('the header is not that of a layer')
  return { size, tables, l1At: Number(header.readBigUInt64BE(40)) }
}

function readEntries(entries: Buffer, map: Uint8Array, first: number): void {
  const here = Math.min(perTable, map.length - first)
  for (let i = 0; i < here; i++) {
    const entry = entries.readBigUInt64BE(i * 8)
    if (entry === 0n) continue
    const isZero = (entry & zeroFlag) !== 0n
    const isAtItsOffset = (entry & offsetMask) === BigInt((first + i) * extent)
    // An entry without an offset is unallocated, but for extent 0 the offset is 0 as well.
    const isHere = isAtItsOffset && ((entry & offsetMask) !== 0n || (entry & copied) !== 0n)
    if ((entry & compressedFlag) !== 0n || (!isZero && !isHere))
      throw new TablesDamaged(`extent ${first + i} is not at its offset`)
    map[first + i] = isZero ? hasZeros : hasBytes
  }
}
