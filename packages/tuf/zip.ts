/** Reads zip files at random, without trust in their content. */
import { RepositoryRefused, type RandomAccess } from '@purlin/core/ports'
import { zipReason } from './reasons.ts'
import { ZipReader, type Entry } from '@zip.js/zip.js/lib/zip-core-reader.js'

const KiB = 1024
/** Names and places of all entries are in memory at once. */
const longestDirectory = 1024 * KiB
const mostEntries = 2000
const piece = 512 * KiB

/** A file in a zip. */
export interface ZipFile {
  name: string
  /** bytes, as the zip says */
  size: number
  /** Its bytes, in pieces. Throws RepositoryRefused for more than `size` bytes and for data that cannot be unpacked. */
  content(): AsyncIterable<Uint8Array>
}

/** The files of a zip by name. Throws RepositoryRefused for anything unusual, such as a name that is there twice. */
export async function openZip(zip: RandomAccess): Promise<Map<string, ZipFile>> {
  const reader = new ZipReader(readerOf(zip), { useWebWorkers: false, strictness: 'strict' })
  const files = new Map<string, ZipFile>()
  try {
    for await (const entry of reader.getEntriesGenerator()) {
      if (files.size === mostEntries) throw new RepositoryRefused(`it has more than ${mostEntries} files`)
      if (entry.directory) continue
      if (files.has(entry.filename)) throw new RepositoryRefused(`it has the file ${entry.filename} twice`)
      files.set(entry.filename, fileOf(entry))
    }
  } catch (error) {
    throw refusalOf(error)
  }
  return files
}

/** The library calls `size` and `readUint8Array` for the directory, `createReadable` for the data of an entry. */
function readerOf(zip: RandomAccess) {
  const { size } = zip
  return {
    size,
    get readable() {
      return this.createReadable()
    },
    readUint8Array(offset: number, length: number) {
      if (length > longestDirectory) throw new RepositoryRefused('its directory is too large')
      return zip.read(offset, Math.min(length, size - offset))
    },
    createReadable({
      offset = 0,
      size: length = size - offset,
    }: Partial<Record<'offset' | 'size', number>> = {}): ReadableStream<Uint8Array> {
      const end = offset + length
      let at = offset
      return new ReadableStream<Uint8Array>({
        async pull(controller) {
          const bytes = await zip.read(at, Math.min(piece, end - at))
          at += bytes.length
          if (bytes.length > 0) controller.enqueue(bytes)
          if (at >= end || bytes.length === 0) controller.close()
        },
      })
    },
  }
}

const fileOf = (entry: Exclude<Entry, { directory: true }>): ZipFile => ({
  name: entry.filename,
  size: entry.uncompressedSize,
  async *content() {
    const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>()
    const pieces = readable.getReader()
    const unpacked = entry.getData(writable)
    // The reader below fails as well.
    unpacked.catch(() => undefined)
    try {
      for (let length = 0; ;) {
        const { done, value } = await pieces.read()
        if (done) break
        length += value.length
        if (length > entry.uncompressedSize)
          throw new RepositoryRefused(`${entry.filename} is longer than it says`)
        yield value
      }
      await unpacked
    } catch (error) {
      throw refusalOf(error, entry.filename)
    } finally {
      await pieces.cancel().catch(() => undefined)
    }
  },
})

function refusalOf(error: unknown, name = 'the zip file'): unknown {
  if (error instanceof RepositoryRefused || !(error instanceof Error) || error.name === 'BytesMissing')
    return error
  return new RepositoryRefused(zipReason(name, error))
}

/** The whole text of a small file. Throws RepositoryRefused if it is longer than `most` bytes. */
export async function textOf(file: ZipFile, most: number): Promise<Buffer> {
  if (file.size > most) throw new RepositoryRefused(`${file.name} is longer than ${most} bytes`)
  const pieces: Uint8Array[] = []
  for await (const one of file.content()) pieces.push(one)
  return Buffer.concat(pieces)
}
