/** The bytes of disks in the data folder, if it is the one that the database belongs to. */
import { systemCodeOf } from '@purlin/databases/error-codes'
import { randomUUID } from 'node:crypto'
import { existsSync, linkSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { folderOf, identityOf, type World } from '@purlin/core'
import type { Blobs, Log } from '@purlin/core/ports'
import { openBlobs, readOnlyBlobs, unreachableBlobs } from '@purlin/databases/blobs-in-files'
import { startError } from '../process/start-errors.ts'

interface Around {
  world: Pick<World, 'engine' | 'ids' | 'clock'>
  /** the data folder */
  folder: string
  /** Says which database it is; undefined for the embedded one, which is in the data folder, as its bytes are. */
  place?: string | undefined
  /** The place of the database that the bytes are taken over from. */
  adoptDisksOf?: string | undefined
  isFull: () => boolean
  log: Log
}

/** The folder of the bytes of disks in a data folder, and the identity of the database that owns it. */
export async function diskFolderOf(
  world: Around['world'],
  dataDir: string,
): Promise<{ folder: string; owner: string }> {
  const owner = await identityOf(world)
  return { folder: join(dataDir, 'blobs', owner), owner }
}

/**
 * Opens the bytes of disks. If the folder is not that of the database, bytes can be neither read nor written: reads
 * would be zeros, and writes would be lost. In a folder that a copy of the database uses, they can only be read.
 * Throws StartError.
 */
export async function openDisks(around: Around): Promise<Blobs> {
  const { world, folder, place, isFull, log } = around
  // Bytes that no row refers to are removed, so a database must never use those of another one.
  const { folder: path } = await diskFolderOf(world, folder)
  try {
    const blobs = openBlobs(path, isFull)
    const { text: id, isNew } = firstIn(join(path, 'folder'), randomUUID())
    const holdsBytes = readdirSync(path).some((name) => name.endsWith('.data'))
    const isEstablished = place === undefined || !isNew || holdsBytes
    const known = await folderOf(world, { id, isEstablished })
    if (known !== id) {
      const reason = `the bytes of disks are in another data folder than that of this server`
      log.error({ folder: path, id, expected: known }, reason)
      return unreachableBlobs(reason)
    }
    return place === undefined || isOwn(path, place, around) ? blobs : readOnlyBlobs(blobs, ofAnother)
  } catch (error) {
    throw systemCodeOf(error) === undefined ? error : startError.folder(path, error)
  }
}

const ofAnother = 'the data folder of this server has the bytes of disks of another database'

/** False if the folder belongs to another database, of which this one is a copy. */
function isOwn(path: string, place: string, { adoptDisksOf, log }: Around): boolean {
  const file = join(path, 'database')
  const { text: owner } = firstIn(file, place)
  if (owner === place) return true
  const fields = { folder: path, database: place, owner }
  if (adoptDisksOf !== owner) {
    const advice = `if that one is gone for good, start with --adopt-disks-of ${owner}`
    log.error(fields, `${ofAnother}, and can only be read: ${advice}`)
    return false
  }
  const draft = draftOf(file, place)
  renameSync(draft, file)
  log.warn(fields, 'the bytes of disks were taken over from another database')
  return true
}

/** The text in a file. If there is no file, it is made with this text. */
function firstIn(path: string, first: string): { text: string; isNew: boolean } {
  const read = () => readFileSync(path, 'utf8').trim()
  if (existsSync(path)) return { text: read(), isNew: false }
  const draft = draftOf(path, first)
  try {
    // Two servers that share the folder may start together: one of them creates the file.
    linkSync(draft, path)
  } catch (error) {
    if (systemCodeOf(error) !== 'EEXIST') throw error
  } finally {
    rmSync(draft)
  }
  return { text: read(), isNew: true }
}

function draftOf(path: string, text: string): string {
  const draft = `${path}.${randomUUID()}`
  writeFileSync(draft, `${text}\n`, { mode: 0o600, flush: true })
  return draft
}
