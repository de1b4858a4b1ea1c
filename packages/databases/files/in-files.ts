/** Files in a folder, such as the zip files of updates: `ID.zip` each. */
import { mkdirSync } from 'node:fs'
import { open, readdir, statfs, unlink, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import { BytesMissing, StorageFull, type StoredFiles } from '@purlin/core/ports'
import { isFullError, messageOf, systemCodeOf } from '../error-codes.ts'
import { createWrittenFiles } from '../written-files.ts'

const fileName = /^([0-9a-f-]{36})\.zip$/

/** Where a file is. */
export const pathOfFile = (folder: string, id: string): string => join(folder, `${id}.zip`)

/** Used if the folder is not that of the database. */
export const unreachableFiles = (reason: string): StoredFiles => {
  const refuse = () => Promise.reject(new Error(reason))
  return {
    most: 0,
    unreachable: reason,
    write: refuse,
    flush: refuse,
    read: refuse,
    remove: refuse,
    list: refuse,
    free: refuse,
  }
}

/**
 * Creates the folder, readable by its owner only, and stores files of up to `most` bytes in it. While `isFull`, it
 * writes nothing: the remaining space is for deletes.
 */
export function openFiles(
  folder: string,
  { most, isFull }: { most: number; isFull: () => boolean },
): StoredFiles {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const pathOf = (id: string) => pathOfFile(folder, id)
  const written = createWrittenFiles()
  return {
    most,
    async write(id, offset, bytes) {
      if (isFull()) throw new StorageFull('the reserve has been given up')
      await explain(written.write(pathOf(id), { offset, bytes, isThere: offset > 0 }))
    },
    async flush(id) {
      await explain(withFile(pathOf(id), (file) => file.datasync()))
      await explain(withFile(folder, (file) => file.sync()))
    },
    async read(id, offset, length) {
      const bytes = new Uint8Array(length)
      let done = 0
      const isThere = await withFile(pathOf(id), async (file) => {
        for (let read = 1; read > 0 && done < length; done += read)
          read = (await file.read(bytes, done, length - done, offset + done)).bytesRead
      })
      if (!isThere) throw new BytesMissing([id])
      return bytes.subarray(0, done)
    },
    async remove(id) {
      await written.close(pathOf(id))
      await unlink(pathOf(id)).catch((error: unknown) => ignoreMissing(error))
    },
    list: async () => (await readdir(folder)).flatMap((name) => fileName.exec(name)?.[1] ?? []),
    free: async () => {
      const { bavail, bsize } = await statfs(folder)
      return isFull() ? 0 : bavail * bsize
    },
  }
}

function ignoreMissing(error: unknown): undefined {
  if (systemCodeOf(error) !== 'ENOENT') throw error
}

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

/** Throws StorageFull. */
async function explain(work: Promise<unknown>): Promise<void> {
  try {
    await work
  } catch (error) {
    throw isFullError(error) ? new StorageFull(messageOf(error), { cause: error }) : error
  }
}
