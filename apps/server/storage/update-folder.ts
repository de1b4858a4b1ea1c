/** The files of updates in the data folder. */
import { join } from 'node:path'
import { identityOf, type World } from '@purlin/core'
import type { UpdateFiles } from '@purlin/core/ports'
import { limits } from '@purlin/contract/rules/limits'
import { systemCodeOf } from '@purlin/databases/error-codes'
import { openUpdates, unreachableUpdates } from '@purlin/databases/updates/in-files'
import { startError } from '../process/start-errors.ts'

interface Around {
  world: Pick<World, 'engine' | 'ids' | 'clock'>
  /** the data folder */
  folder: string
  isFull: () => boolean
  /** Why this server cannot use the bytes of disks, if it cannot: the same is true of updates. */
  unreachable: string | undefined
}

/** Opens the files of updates of the database, if the folder is its own. Throws StartError. */
export async function openUpdateFiles({ world, folder, isFull, unreachable }: Around): Promise<UpdateFiles> {
  if (unreachable !== undefined) return unreachableUpdates(unreachable)
  const path = join(folder, 'updates', await identityOf(world))
  try {
    return openUpdates(path, { most: limits.update.repository, isFull })
  } catch (error) {
    throw systemCodeOf(error) === undefined ? error : startError.folder(path, error)
  }
}
