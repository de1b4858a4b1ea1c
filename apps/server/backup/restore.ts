/** Restores a backup into an empty data folder, and into an empty PostgreSQL database if it is of one. */
import { existsSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { mkdir, open, type FileHandle } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { isKnownStep } from '@purlin/core'
import type { Facts } from '@purlin/databases/backup/facts'
import { factsOfPostgres, restorePostgres } from '@purlin/databases/backup/postgres'
import { factsOfSqlite } from '@purlin/databases/backup/sqlite'
import { makeDataDir, restoring, takeDataLock } from '../storage/data-dir.ts'
import { Damaged, openContents, parseList, syncFolder, writeDurably, type Contents } from './contents.ts'
import { isDataFile } from './data-files.ts'
import { databasePath, idsIn, partsOf, readManifest, type FileOfBackup, type Manifest } from './manifest.ts'

/** A backup cannot be restored; the message says why. */
class RestoreError extends Error {
  override name = 'RestoreError'
}

export interface RestoreTo {
  /** the folder of backups */
  from: string
  /** the backup; the last one if undefined */
  id: string | undefined
  dataDir: string
  databaseUrl: string | undefined
}

/** Restores a backup and returns its manifest. Throws RestoreError, Damaged. */
export async function restoreBackup({
  from,
  id: chosen,
  dataDir,
  databaseUrl,
}: RestoreTo): Promise<Manifest> {
  const manifest = await find(from, chosen)
  requireEngine(manifest, databaseUrl)
  makeDataDir(dataDir)
  const release = takeDataLock(dataDir)
  try {
    const draft = await begin(dataDir, manifest.id)
    const contents = openContents(partsOf(from).contents)
    for (const file of manifest.files) {
      if (file.path === databasePath && databaseUrl !== undefined) continue
      await writeFile(contents, file, join(draft, placeOf(file)))
    }
    await restoreDatabase({ manifest, contents, draft, databaseUrl })
    await finish(dataDir, draft)
    return manifest
  } finally {
    release()
  }
}

async function find(from: string, chosen: string | undefined): Promise<Manifest> {
  if (!existsSync(partsOf(from).manifests)) throw new RestoreError(`there are no backups in ${from}`)
  const ids = await idsIn(from)
  const id = chosen ?? ids.at(-1)
  if (id === undefined) throw new RestoreError(`there is no whole backup in ${from}`)
  if (!ids.includes(id)) throw new RestoreError(`there is no backup ${id}; there are ${ids.join(', ')}`)
  const manifest = await readManifest(from, id)
  if (manifest.step !== '' && !isKnownStep(manifest.step))
    throw new RestoreError(
      `backup ${id} was made by version ${manifest.version}, which is newer than this one: update the program first`,
    )
  return manifest
}

function requireEngine({ engine, id }: Manifest, databaseUrl: string | undefined): void {
  if (engine === 'postgres' && databaseUrl === undefined)
    throw new RestoreError(
      `backup ${id} is of a PostgreSQL database: give the --database-url of an empty database`,
    )
  if (engine === 'sqlite' && databaseUrl !== undefined)
    throw new RestoreError(`backup ${id} has an embedded database: leave out --database-url`)
}

/** Where a file belongs in the data folder. Throws Damaged for a path outside of it. */
function placeOf({ path }: FileOfBackup): string {
  if (path === databasePath) return 'purlin.db'
  if (!isDataFile(path)) throw new Damaged(`the backup has an unknown file ${path}`)
  return path
}

/** Names that a restore makes in a data folder, in the order in which they get there. */
const restored = ['blobs', 'updates', 'bundles', 'purlin.db']
/** Names that do not make a folder a used one. */
const harmless = new Set(['purlin.lock', 'lost+found'])

/** Makes the folder in which the restore is prepared. A server refuses to start as long as it exists. */
async function begin(dataDir: string, id: string): Promise<string> {
  const entries = readdirSync(dataDir).filter((name) => !harmless.has(name))
  const isInterrupted = entries.includes(restoring)
  const own = isInterrupted ? [restoring, ...restored] : []
  const others = entries.filter((name) => !own.includes(name))
  if (others.length > 0)
    throw new RestoreError(
      `the data folder ${dataDir} is not empty, it has ${others.slice(0, 3).join(', ')}: give a new --data-dir`,
    )
  const draft = join(dataDir, restoring)
  // The folder itself goes last: without it, what an interrupted restore has left would be taken for data.
  for (const name of restored) rmSync(join(dataDir, name), { recursive: true, force: true })
  rmSync(draft, { recursive: true, force: true })
  await mkdir(draft, { mode: 0o700 })
  await writeDurably(join(draft, 'backup'), `${id}\n`)
  await syncFolder(dataDir)
  return draft
}

async function writeFile(contents: Contents, { path, size, list }: FileOfBackup, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true, mode: 0o700 })
  const file = await open(to, 'wx', 0o600)
  try {
    let at = 0
    for (const { digest, length } of parseList((await contents.get(list)).toString())) {
      const bytes = digest === undefined ? undefined : await contents.get(digest)
      if (bytes && bytes.length !== length) throw new Damaged(`a piece of ${path} has another length`)
      if (bytes) await writeAt(file, at, bytes)
      at += length
    }
    if (at !== size) throw new Damaged(`the file ${path} has ${at} bytes instead of ${size}`)
    // Zeros at the end are not written.
    await file.truncate(size)
    await file.sync()
  } finally {
    await file.close()
  }
  await syncFolder(dirname(to))
}

async function writeAt(file: FileHandle, at: number, bytes: Uint8Array): Promise<void> {
  for (let done = 0; done < bytes.length;)
    done += (await file.write(bytes, done, bytes.length - done, at + done)).bytesWritten
}

interface Restoring {
  manifest: Manifest
  contents: Contents
  draft: string
  databaseUrl: string | undefined
}

async function restoreDatabase({ manifest, contents, draft, databaseUrl }: Restoring): Promise<void> {
  if (databaseUrl === undefined) return requireSame(manifest, await factsOfSqlite(join(draft, 'purlin.db')))
  const before = await factsOfPostgres(databaseUrl)
  if (Object.keys(before.rows).length > 0) {
    // An interrupted run of this restore may have filled it.
    if (differing(manifest, before).length === 0) return
    throw new RestoreError('the PostgreSQL database is not empty: give the --database-url of an empty one')
  }
  const file = manifest.files.find(({ path }) => path === databasePath)
  if (!file) throw new Damaged('the backup has no database')
  await restorePostgres(databaseUrl, bytesOf(contents, file))
  requireSame(manifest, await factsOfPostgres(databaseUrl))
}

async function* bytesOf(contents: Contents, { list }: FileOfBackup): AsyncGenerator<Uint8Array> {
  for (const { digest, length } of parseList((await contents.get(list)).toString()))
    yield digest === undefined ? Buffer.alloc(length) : await contents.get(digest)
}

/** The tables whose number of rows is not that of the backup. */
const differing = ({ rows, identity }: Manifest, found: Facts): string[] =>
  found.identity === identity
    ? [...new Set([...Object.keys(rows), ...Object.keys(found.rows)])].filter(
        (table) => rows[table] !== found.rows[table],
      )
    : ['lease']

function requireSame(manifest: Manifest, found: Facts): void {
  const tables = differing(manifest, found)
  if (tables.length > 0)
    throw new Damaged(`the restored database has other rows than the backup: ${tables.join(', ')}`)
}

/** Moves everything to its place. The database comes last. */
async function finish(dataDir: string, draft: string): Promise<void> {
  for (const name of restored)
    if (existsSync(join(draft, name))) renameSync(join(draft, name), join(dataDir, name))
  await syncFolder(dataDir)
  rmSync(draft, { recursive: true })
  await syncFolder(dataDir)
}
