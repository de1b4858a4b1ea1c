/** Zip files in the data folder, such as those of updates. */
import { join } from 'node:path'
import { identityOf, type World } from '@purlin/core'
import type { StoredFiles } from '@purlin/core/ports'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { openFiles, unreachableFiles } from '@purlin/databases/files/in-files'
import { startError } from '../process/start-errors.ts'

export interface FolderWorld {
  world: Pick<World, 'engine' | 'ids' | 'clock'>
  /** the data folder */
  folder: string
  isFull: () => boolean
  /** Why this server cannot use the bytes of disks, if it cannot: the same is true of files. */
  unreachable: string | undefined
}

/**
 * Opens the files of the database that are in a folder of this name, each of at most `most` bytes, if the data folder is
 * that of the database. Throws StartError.
 */
export async function openStoredFiles(
  { world, folder, isFull, unreachable }: FolderWorld,
  name: string,
  most: number,
): Promise<StoredFiles> {
  if (unreachable !== undefined) return unreachableFiles(unreachable)
  const path = join(folder, name, await identityOf(world))
  try {
    return openFiles(path, { most, isFull })
  } catch (error) {
    throw systemCodeOf(error) === undefined ? error : startError.folder(path, error)
  }
}
