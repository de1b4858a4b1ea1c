/** The zip files of support bundles. */
import type { World } from '#/context.ts'
import { pieceLength } from '#/bytes.ts'
import { fault } from '#/faults.ts'
import { BytesMissing, RepositoryRefused, type StoredFiles, type ZippedFile } from '#/ports.ts'

type Bundles = NonNullable<World['bundles']>

/** The store of support bundles and what reads it. Throws 503 where they are out of reach. */
export function bundlesOf({ bundles }: Pick<World, 'bundles'>): Bundles {
  if (!bundles) throw fault.unavailable('this server has no store of support bundles')
  if (bundles.files.unreachable !== undefined) throw fault.unavailable(bundles.files.unreachable)
  return bundles
}

/** A zip file that is complete. */
export interface Zip {
  fileId: string
  /** bytes */
  size: number
}

/** The files in a zip, by path. Throws 503 for one that is damaged. */
export async function filesIn(
  { files, zips }: Bundles,
  { fileId, size }: Zip,
): Promise<ReadonlyMap<string, ZippedFile>> {
  const read = (offset: number, length: number) => files.read(fileId, offset, Math.min(length, size - offset))
  try {
    return await zips.open({ size, read })
  } catch (error) {
    if (!(error instanceof RepositoryRefused)) throw error
    throw fault.unavailable(`the support bundle is damaged: ${error.message}. Collect another one`)
  }
}

/** The bytes of a stored file from an offset up to another one. */
export async function* bytesBetween(
  files: StoredFiles,
  id: string,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  for (let at = from; at < to;) {
    const bytes = await files.read(id, at, Math.min(pieceLength, to - at))
    if (bytes.length === 0) throw new BytesMissing([id])
    at += bytes.length
    yield bytes
  }
}

/** The part of some bytes from an offset up to another one. */
export async function* partOf(
  content: AsyncIterable<Uint8Array>,
  { from, to }: { from: number; to: number },
): AsyncGenerator<Uint8Array> {
  let at = 0
  for await (const piece of content) {
    const part = piece.subarray(Math.max(0, from - at), Math.max(0, to - at))
    at += piece.length
    if (part.length > 0) yield part
    if (at >= to) return
  }
}
