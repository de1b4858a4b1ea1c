/** The ports of image imports for tests: other servers in memory, and an unpacker of one form. */
import { createMemoryFiles } from '@purlin/databases/files/in-memory'
import { NotDownloaded, NotUnpacked, type Downloads } from '#/ports.ts'
import type { ImportPorts } from '#/resources/storage/import-files.ts'

/** A file on another server. */
export interface ServedFile {
  bytes: Uint8Array
  validator?: string | null
  /** The connection breaks after this many bytes. */
  breaksAt?: number | undefined
  /** The answer waits for this, after the first bytes. */
  until?: Promise<unknown>
  /** The answer comes in pieces of this many bytes, before each of which this runs. */
  inSteps?: { of: number; before: () => Promise<unknown> }
  refused?: NotDownloaded
}

/** The ports, with files by address. `requests` are the offsets that were requested. */
export function importPorts(served: Record<string, ServedFile> = {}) {
  const requests: (number | null)[] = []
  const downloads: Downloads = {
    open(url, from) {
      requests.push(from?.offset ?? null)
      const file = served[url]
      if (file?.refused) return Promise.reject(file.refused)
      if (!file) return Promise.reject(new NotDownloaded('The server answered 404', { mayPass: false }))
      const { bytes, validator = '"1"' } = file
      const offset = from !== undefined && from.validator === validator ? from.offset : 0
      return Promise.resolve({ offset, size: bytes.length, validator, bytes: send(file, offset) })
    },
    stop: () => undefined,
  }
  return {
    files: createMemoryFiles(),
    downloads,
    // The tests of the server read real files.
    unpacker: {
      async *unpack(_id, format, _lost) {
        yield await Promise.reject<Uint8Array>(new NotUnpacked(`No ${format} in tests`))
      },
      stop: () => undefined,
    },
    requests,
  } satisfies ImportPorts & { requests: unknown }
}

async function* send({ bytes, breaksAt = Infinity, until, inSteps }: ServedFile, offset: number) {
  const end = Math.min(breaksAt, bytes.length)
  if (inSteps)
    for (let at = offset; at < end; at += inSteps.of) {
      await inSteps.before()
      yield bytes.subarray(at, Math.min(at + inSteps.of, end))
    }
  else if (until) {
    yield bytes.subarray(offset, offset + 1)
    await until
    yield bytes.subarray(offset + 1, end)
  } else yield bytes.subarray(offset, end)
  if (end < bytes.length) throw new NotDownloaded('The connection broke', { mayPass: true })
}
