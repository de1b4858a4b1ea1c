/** Disks with a GUID partition table (UEFI specification, section 5.3), with blocks of 512 bytes. */
import { crc32 } from 'node:zlib'

const block = 512
const entryCount = 128
const entrySize = 128
/** Blocks of the entries of one table. */
const entryBlocks = (entryCount * entrySize) / block

/** Types of partitions, as they are on disks. */
const partitionTypes = {
  efiSystem: '28732ac11ff8d211ba4b00a0c93ec93b',
  biosBoot: '4861682149646f6e744e656564454649',
  linux: 'af3dc60f838472478e793d69d8477de4',
} as const

export interface Partition {
  type: keyof typeof partitionTypes
  /** in blocks */
  from: number
  to: number
  /** BIOS is asked to boot from it. */
  isLegacy?: boolean
}

/** The parts of a disk of a size in bytes, by their offset: the protective MBR, and both tables. */
export function partitionTable(size: number, partitions: readonly Partition[]): Map<number, Buffer> {
  const last = size / block - 1
  const entries = Buffer.alloc(entryCount * entrySize)
  for (const [i, { type, from, to, isLegacy }] of partitions.entries()) {
    const entry = entries.subarray(i * entrySize)
    Buffer.from(partitionTypes[type], 'hex').copy(entry)
    entry.fill(i + 1, 16, 32)
    entry.writeBigUInt64LE(BigInt(from), 32)
    entry.writeBigUInt64LE(BigInt(to), 40)
    if (isLegacy === true) entry.writeBigUInt64LE(4n, 48)
  }
  const header = (at: number, other: number, entriesAt: number) => {
    const bytes = Buffer.alloc(block)
    bytes.write('EFI PART')
    bytes.writeUInt32LE(0x1_0000, 8)
    bytes.writeUInt32LE(92, 12)
    for (const [offset, value] of [
      [24, at],
      [32, other],
      [40, 2 + entryBlocks],
      [48, last - entryBlocks - 1],
      [72, entriesAt],
    ] as const)
      bytes.writeBigUInt64LE(BigInt(value), offset)
    bytes.fill(0xaa, 56, 72)
    bytes.writeUInt32LE(entryCount, 80)
    bytes.writeUInt32LE(entrySize, 84)
    bytes.writeUInt32LE(crc32(entries), 88)
    bytes.writeUInt32LE(crc32(bytes.subarray(0, 92)), 16)
    return bytes
  }
  const mbr = Buffer.alloc(block)
  mbr.set([0, 0, 2, 0, 0xee, 0xff, 0xff, 0xff], 446)
  mbr.writeUInt32LE(1, 454)
  mbr.writeUInt32LE(last, 458)
  mbr.writeUInt16LE(0xaa55, 510)
  return new Map([
    [0, mbr],
    [block, header(1, last, 2)],
    [2 * block, entries],
    [(last - entryBlocks) * block, entries],
    [last * block, header(last, 1, last - entryBlocks)],
  ])
}
