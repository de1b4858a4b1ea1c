/** The folder of backups: a manifest for each, which says what the backup consists of. */
import { createHash } from 'node:crypto'
import { readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Damaged, syncFolder, writeDurably } from './contents.ts'

export const engines = ['sqlite', 'postgres'] as const
export type EngineName = (typeof engines)[number]

/** A file of a backup. */
export interface FileOfBackup {
  /** in the data folder, or `database` */
  path: string
  /** bytes */
  size: number
  /** the digest of its list of pieces */
  list: string
  /** Recognizes a file that has not changed since; absent if it had changed shortly before. */
  stamp?: string
}

export interface Manifest {
  format: 1
  /** the time at which the copy of the database was made, as its file is named */
  id: string
  /** of the program that made it */
  version: string
  /** the last step of the schema of the database */
  step: string
  /** the id of the database */
  identity: string
  engine: EngineName
  /** the number of rows by table */
  rows: Record<string, number>
  /** files that the rows name and that were missing from the data folder */
  missing: string[]
  files: FileOfBackup[]
}

/** The path of the database in a backup: a file of SQLite, or a dump of PostgreSQL. */
export const databasePath = 'database'

/** The names in a folder of backups. */
export const partsOf = (folder: string) => ({
  manifests: join(folder, 'backups'),
  contents: join(folder, 'contents'),
  /** Temporary files of the backup under way. */
  unfinished: join(folder, 'unfinished'),
})

const idFormat = /^\d{4}-\d\d-\d\dT\d\d-\d\d-\d\d-\d{3}Z$/

/** The id of a backup that was made at a time, ms since 1970. Ids are in order of time. */
export const idAt = (ms: number): string => new Date(ms).toISOString().replaceAll(/[:.]/g, '-')

/** The time of a backup as people read it. */
export function timeOf(id: string): string {
  const [date = '', time = ''] = id.split('T')
  return `${date}T${time.slice(0, 8).replaceAll('-', ':')}.${time.slice(9)}`
}

/** The ids of all whole backups, the oldest first. */
export async function idsIn(folder: string): Promise<string[]> {
  const { manifests } = partsOf(folder)
  const names = await readdir(manifests)
  return names
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length))
    .filter((id) => idFormat.test(id))
    .toSorted()
}

const pathOf = (folder: string, id: string) => join(partsOf(folder).manifests, `${id}.json`)
const digestOf = (text: string) => createHash('sha256').update(text).digest('hex')

/** Makes the backup whole: from now on it can be restored. Both folders must exist. */
export async function publish(folder: string, manifest: Manifest): Promise<void> {
  const { manifests, unfinished } = partsOf(folder)
  const text = JSON.stringify(manifest, null, 1)
  const draft = join(unfinished, 'manifest')
  await writeDurably(draft, `${text}\n${digestOf(text)}\n`)
  await rename(draft, pathOf(folder, manifest.id))
  await syncFolder(manifests)
}

/** Reads a manifest. Throws Damaged. */
export async function readManifest(folder: string, id: string): Promise<Manifest> {
  const text = await readFile(pathOf(folder, id), 'utf8')
  const body = text.slice(0, -66)
  if (text.slice(-66) !== `\n${digestOf(body)}\n`)
    throw new Damaged(`the manifest of backup ${id} is damaged`)
  const value: unknown = JSON.parse(body)
  if (!isManifest(value)) throw new Damaged(`backup ${id} was made by a newer version of this program`)
  return value
}

/** Deletes a backup. Its pieces are deleted by `keepOnly`. */
export async function removeManifest(folder: string, id: string): Promise<void> {
  await rm(pathOf(folder, id))
}

// Its digest is right, so it is as this program wrote it: only the format needs a check.
const isManifest = (value: unknown): value is Manifest =>
  typeof value === 'object' && value !== null && 'format' in value && value.format === 1
