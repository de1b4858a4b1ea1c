/** The files of updates while they are received: one writer at a time, and their hashes. */
import type { World } from '#/context.ts'
import { pieceLength } from '#/bytes.ts'
import { createKeyedLock, type LockedByKey } from '#/concurrency/locks.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { fault } from '#/faults.ts'
import { isOutage } from '#/db/engine.ts'
import { isBackupUnderWay } from '#/db/rows/backup-lease.ts'
import type { RandomAccess, Sha256, StoredFiles } from '#/ports.ts'

/** The ports of updates. Throws 503 where there are none. */
export function updatesOf({ updates }: Pick<World, 'updates'>): NonNullable<World['updates']> {
  if (!updates) throw fault.unavailable('this server has no store of updates')
  return updates
}

/** The store of a server that may use it. Throws 503. */
export function updateFilesOf(world: Pick<World, 'updates'>): StoredFiles {
  const { files } = updatesOf(world)
  if (files.unreachable !== undefined) throw fault.unavailable(files.unreachable)
  return files
}

/** The hash of the part of a file that was written so far. */
interface Hashed {
  hash: Sha256
  length: number
}
interface Receiving {
  /** One writer or reader of a file at a time. */
  locked: LockedByKey
  /** Those of files that this process writes. After a restart the file is read again. */
  hashes: Map<string, Hashed>
}
const receivingIn = memoizeByObject((_files: StoredFiles): Receiving => ({
  locked: createKeyedLock().exclusive,
  hashes: new Map(),
}))

/** Runs work on a file while no other request does. */
export const withFile = <T>(
  world: World,
  id: string,
  work: (files: StoredFiles) => Promise<T>,
): Promise<T> => {
  const files = updateFilesOf(world)
  return receivingIn(files).locked(id, () => work(files))
}

/** Writes bytes where the file ends so far. Throws 503. */
export async function append(
  world: World,
  { id, at, bytes }: { id: string; at: number; bytes: Uint8Array },
): Promise<void> {
  const files = updateFilesOf(world)
  const { hashes } = receivingIn(files)
  const known = at === 0 ? { hash: world.sha256(), length: 0 } : hashes.get(id)
  hashes.delete(id)
  await stored('repository', files.write(id, at, bytes))
  if (known?.length !== at) return
  known.hash.update(bytes)
  hashes.set(id, { hash: known.hash, length: at + bytes.length })
}

/** Puts what was written on stable storage. Throws 503. */
export const flush = (world: World, id: string): Promise<void> =>
  stored('repository', updateFilesOf(world).flush(id))

/** The SHA-256 of a file of this length, hex. */
export async function hashOf(world: World, { id, size }: { id: string; size: number }): Promise<string> {
  const files = updateFilesOf(world)
  const { hashes } = receivingIn(files)
  const known = hashes.get(id)
  hashes.delete(id)
  if (known?.length === size) return known.hash.hex()
  const hash = world.sha256()
  for (let at = 0; at < size; at += pieceLength)
    hash.update(await files.read(id, at, Math.min(pieceLength, size - at)))
  return hash.hex()
}

/** A file of this length, to be read at random. */
export function randomAccess(world: World, { id, size }: { id: string; size: number }): RandomAccess {
  const files = updateFilesOf(world)
  return { size, read: (offset, length) => files.read(id, offset, Math.min(length, size - offset)) }
}

/** Frees the room of a file that no row names. During a backup it stays, and a loop removes it later. */
export async function removeFile(world: World, id: string): Promise<void> {
  const files = updateFilesOf(world)
  receivingIn(files).hashes.delete(id)
  if (await isBackupUnderWay(world)) return
  await files.remove(id)
}

/** Waits until something is stored. Trouble of the local storage is no fault of the request. Throws 503. */
export async function stored(noun: string, work: Promise<void>): Promise<void> {
  try {
    await work
  } catch (error) {
    if (isOutage(error)) throw error
    throw fault.unavailable(
      `the ${noun} could not be stored. Ask the operator of the server to look at its storage`,
    )
  }
}
