/** Recognises files of disk images by their first bytes, for the server and for clients before they send a file. */

/** The forms of files that become images. An ISO is stored as it is. */
export const imageFormats = ['raw', 'iso', 'qcow2', 'vmdk', 'vdi', 'gzip', 'xz', 'zstd'] as const
export type ImageFormat = (typeof imageFormats)[number]

/** Bytes that are enough to recognise a file. */
export const headLength = 68 * 1024

/** The form of a file, with the bytes of its disk if the header says so; or why it cannot become an image, for people. */
export type Recognised = { format: ImageFormat; diskSize?: number } | { problem: string }

/** A file by its first `headLength` bytes, or all of them if it has fewer. `size` are the bytes of the file. */
interface ImageHead {
  bytes: Uint8Array
  size: number
}

/** Recognises a file, and refuses one that is empty, cut off, encrypted, or needs other files. */
export function recogniseImage(file: ImageHead): Recognised {
  if (file.size === 0) return { problem: 'The file is empty' }
  const { text } = readerOf(file)
  const found = known.find(({ at = 0, magic }) => text(at, magic.length) === magic)
  return found ? found.read(file) : readRaw(file)
}

/** Why an upload, which stores the bytes of a file as they are, makes no disk of it; undefined if it does. */
export function uploadDoubt(found: Recognised): string | undefined {
  if ('problem' in found) return `${found.problem}.`
  const { format } = found
  return format === 'raw' || format === 'iso'
    ? undefined
    : `The file is recognised as ${format}. An upload stores its bytes as they are, and no instance boots from them. Import the file instead: the server unpacks it.`
}

interface Known {
  /** The offset of the first bytes; 0 unless given. */
  at?: number
  /** One character a byte. */
  magic: string
  read: (file: ImageHead) => Recognised
}

const packed = (format: ImageFormat) => () => ({ format })
const refused = (problem: string) => () => ({ problem })
const convertFirst = 'Convert it to qcow2 or a raw image first'

const known: readonly Known[] = [
  { magic: 'QFI\u{fb}', read: readQcow2 },
  { magic: 'KDMV', read: readVmdk },
  { at: 64, magic: '\u{7f}\u{10}\u{da}\u{be}', read: readVdi },
  { magic: '\u{1f}\u{8b}', read: packed('gzip') },
  { magic: '\u{fd}7zXZ\0', read: packed('xz') },
  { magic: '\u{28}\u{b5}\u{2f}\u{fd}', read: packed('zstd') },
  { magic: '# Disk Desc', read: refused('The file only describes a VMDK. Export the disk as a single file') },
  { magic: 'COWD', read: refused(`The file is a VMDK of an old version. ${convertFirst}`) },
  { magic: 'vhdxfile', read: refused(`The file is a VHDX. ${convertFirst}`) },
  { magic: 'conectix', read: refused(`The file is a VHD. ${convertFirst}`) },
  { magic: 'BZh', read: refused('The file is compressed with bzip2. Decompress it first') },
  { magic: 'PK\u{3}\u{4}', read: refused('The file is a zip archive. Unpack the image first') },
  { magic: '7z\u{bc}\u{af}', read: refused('The file is a 7z archive. Unpack the image first') },
  { at: 257, magic: 'ustar', read: refused('The file is a tar archive. Unpack the image first') },
  { magic: '<!DOCTYPE', read: refused('The file is a web page, not an image') },
  { magic: '<!doctype', read: refused('The file is a web page, not an image') },
  { magic: '<html', read: refused('The file is a web page, not an image') },
]

const cutOff = { problem: 'The file is cut off: its header describes a larger one' }
const needsOthers = (what: string) => ({
  problem: `The ${what} needs another file. Export the disk as a single, complete file`,
})

/** QEMU's format: `docs/interop/qcow2.rst` of its source. */
function readQcow2(file: ImageHead): Recognised {
  const { u32, u64, reaches } = readerOf(file)
  const version = u32(4, 'big')
  if (version !== 2 && version !== 3) return { problem: `The qcow2 has version ${version}, not 2 or 3` }
  const features = version === 3 ? u32(76, 'big') : 0
  const [isCorrupt, hasDataFile] = [(features & 2) !== 0, (features & 4) !== 0]
  if (u64(8, 'big') !== 0 || hasDataFile) return needsOthers('qcow2')
  if (u32(32, 'big') !== 0) return { problem: 'The qcow2 is encrypted. Decrypt it first' }
  if (isCorrupt) return { problem: 'The qcow2 is marked as corrupt. Repair it first' }
  const table = u64(40, 'big') + u32(36, 'big') * 8
  return reaches(Math.max(table, u64(48, 'big'), 72)) ? { format: 'qcow2', diskSize: u64(24, 'big') } : cutOff
}

const sector = 512
/** The directory of a VMDK that is compressed is at its end. */
const atEnd = 2 ** 64

/** A sparse extent: the Virtual Disk Format 5.0 of VMware. */
function readVmdk(file: ImageHead): Recognised {
  const { u64, reaches, text } = readerOf(file)
  const [sectors, directory, overhead] = [u64(12, 'little'), u64(56, 'little'), u64(64, 'little')]
  // Without a capacity, a description in the file names the files with the data.
  if (sectors === 0) return needsOthers('VMDK')
  const description = text(0, headLength)
  if (/parentFileNameHint|parentCID\s*=\s*(?!f{8})/i.test(description)) return needsOthers('VMDK')
  const needed = directory >= atEnd ? overhead : Math.max(directory, overhead)
  return reaches(needed * sector) ? { format: 'vmdk', diskSize: sectors * sector } : cutOff
}

/** The disk image of VirtualBox: `VDICore.h` of its source. */
function readVdi(file: ImageHead): Recognised {
  const { u32, u64, reaches } = readerOf(file)
  const type = u32(76, 'little')
  if (type !== 1 && type !== 2) return needsOthers('VDI')
  const allocated = u32(344, 'little') + u32(388, 'little') * u32(376, 'little')
  return reaches(allocated) ? { format: 'vdi', diskSize: u64(368, 'little') } : cutOff
}

const cdSector = 2048
const cdAt = 16 * cdSector

/** A disk as it is, or a CD (ECMA-119), whose first blocks may be those of a disk too. */
function readRaw(file: ImageHead): Recognised {
  const { text, u32, reaches } = readerOf(file)
  if (text(cdAt + 1, 5) === 'CD001')
    return reaches(u32(cdAt + 80, 'little') * cdSector) ? { format: 'iso', diskSize: file.size } : cutOff
  return reaches(Math.max(endOfGpt(file), endOfMbr(file))) ? { format: 'raw', diskSize: file.size } : cutOff
}

/** Where the second header of a GUID partition table ends (UEFI 2.10, section 5.3); 0 without a table. */
function endOfGpt(file: ImageHead): number {
  const { text, u64 } = readerOf(file)
  const blockSize = [512, 2048, 4096].find((at) => text(at, 8) === 'EFI PART')
  return blockSize === undefined ? 0 : (u64(blockSize + 32, 'little') + 1) * blockSize
}

const partitionsAt = 446
/** Where the last partition of a master boot record ends; 0 without one. That of a GPT covers any disk. */
function endOfMbr(file: ImageHead): number {
  const { text, u32, u8 } = readerOf(file)
  const entries = [0, 1, 2, 3].map((i) => partitionsAt + i * 16)
  const isMbr = text(510, 2) === 'U\u{aa}' && entries.every((at) => (u8(at) & 0x7f) === 0)
  if (!isMbr || entries.some((at) => u8(at + 4) === 0xee)) return 0
  const ends = entries.map((at) => (u8(at + 4) === 0 ? 0 : u32(at + 8, 'little') + u32(at + 12, 'little')))
  return Math.max(...ends) * sector
}

type Order = 'big' | 'little'

/** Numbers and text of a head. Beyond its end there are zeros. */
function readerOf({ bytes, size }: ImageHead) {
  const u8 = (at: number): number => bytes[at] ?? 0
  const unsigned = (at: number, length: number, order: Order): number => {
    let value = 0
    for (let i = 0; i < length; i++) value = value * 256 + u8(order === 'big' ? at + i : at + length - 1 - i)
    return value
  }
  return {
    u8,
    u32: (at: number, order: Order) => unsigned(at, 4, order),
    u64: (at: number, order: Order) => unsigned(at, 8, order),
    /** One character a byte. */
    text: (at: number, length: number) =>
      Array.from(bytes.subarray(at, at + length), (byte) => String.fromCharCode(byte)).join(''),
    /** Whether the file has this many bytes. */
    reaches: (end: number) => end <= size,
  }
}
