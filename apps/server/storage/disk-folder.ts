/** The bytes of disks in the data folder, if it is the one that the database belongs to. */
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, identityOf, type World } from '@purlin/core'
import type { Blobs, Log } from '@purlin/core/ports'
import { openBlobs, unreachableBlobs } from '@purlin/databases/blobs-in-files'
import { startError } from '../process/start-errors.ts'

interface Around {
  world: Pick<World, 'engine' | 'ids' | 'clock'>
  /** the data folder */
  folder: string
  /** True if the database is in this folder: then its bytes are too. */
  isEmbedded: boolean
  isFull: () => boolean
  log: Log
}

/**
 * Opens the bytes of disks. In a folder that is not the one of the database, nothing of them can be read or
 * written: they would be zeros and be lost. Throws StartError.
 */
export async function openDisks({ world, folder, isEmbedded, isFull, log }: Around): Promise<Blobs> {
  // Bytes that no row refers to are deleted, so a database must never use those of another one.
  const path = join(folder, 'blobs', await identityOf(world))
  try {
    const blobs = openBlobs(path, isFull)
    const { id, isNew } = idOf(path)
    const holdsBytes = readdirSync(path).some((name) => name.endsWith('.data'))
    const known = await folderOf(world, { id, isEstablished: isEmbedded || !isNew || holdsBytes })
    if (known === id) return blobs
    const reason = `the bytes of disks are in another data folder than that of this server`
    log.error({ folder: path, id, expected: known }, reason)
    return unreachableBlobs(reason)
  } catch (error) {
    throw (error as NodeJS.ErrnoException).code === undefined ? error : startError.folder(path, error)
  }
}

/** The id that is stored in a folder; one is made if there is none. */
function idOf(folder: string): { id: string; isNew: boolean } {
  const path = join(folder, 'folder')
  const id = randomUUID()
  const draft = `${path}.${id}`
  if (existsSync(path)) return { id: readFileSync(path, 'utf8').trim(), isNew: false }
  writeFileSync(draft, `${id}\n`, { mode: 0o600, flush: true })
  try {
    // Two servers that share the folder may start at once: one of them names it.
    linkSync(draft, path)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return { id: readFileSync(path, 'utf8').trim(), isNew: true }
}
