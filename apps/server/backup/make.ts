/** Makes a backup of a database and of its data folder, also while servers use them. */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, renameSync, rmSync, type BigIntStats } from 'node:fs'
import { open, readFile, type FileHandle } from 'node:fs/promises'
import { join, relative, resolve, sep } from 'node:path'
import { withBackupLease, type World } from '@purlin/core'
import { systemCodeOf } from '@purlin/databases/error-codes'
import type { Facts } from '@purlin/databases/backup/facts'
import { dumpPostgres } from '@purlin/databases/backup/postgres'
import { copySqlite, factsOfSqlite } from '@purlin/databases/backup/sqlite'
import { takeLock } from '@purlin/databases/files/lock'
import {
  listText,
  openContents,
  parseList,
  pieceSize,
  writeDurably,
  type Contents,
  type Piece,
} from './contents.ts'
import { dataFilesIn } from './data-files.ts'
import {
  databasePath,
  idAt,
  idsIn,
  partsOf,
  publish,
  readManifest,
  removeManifest,
  type FileOfBackup,
  type Manifest,
} from './manifest.ts'
import { version } from '../process/version.ts'

/** A backup cannot be made; the message says why. */
class BackupError extends Error {
  override name: string = 'BackupError'
}

/** Another backup is under way. */
export class BackupUnderWay extends BackupError {
  override name = 'BackupUnderWay'
}

export interface BackupOf {
  around: Pick<World, 'engine' | 'clock'>
  /** the data folder of the server */
  dataDir: string
  /** of PostgreSQL; undefined for the database in the data folder */
  databaseUrl: string | undefined
  /** Says which PostgreSQL database it is. */
  place: string | undefined
  /** the folder of backups */
  to: string
  /** The number of backups to keep; all, if undefined. */
  keep: number | undefined
  /** Asks to end early, with an error. */
  isStopped?: () => boolean
}

/** The result of a backup. */
export interface Made {
  id: string
  /** all bytes of the backup, and those that no earlier one had */
  bytes: number
  newBytes: number
  files: number
  rows: number
  /** Files that rows name and that the data folder does not have. */
  missing: string[]
  /** Files of the data folder that are not in the backup, because they are not Purlin's. */
  unknown: string[]
  /** The number of machines that wrote to their disks while these were copied. */
  machines: number
  /** The ids of old backups that were deleted. */
  removed: string[]
}

/** Makes a backup, and deletes those that are more than `keep`. Throws BackupError. */
export async function makeBackup(of: BackupOf): Promise<Made> {
  const { around, dataDir, to } = of
  const inside = relative(resolve(dataDir), resolve(to))
  if (inside === '' || !(inside === '..' || inside.startsWith(`..${sep}`) || resolve(inside) === inside))
    throw new BackupError(`the folder of backups ${to} is in the data folder: choose another one`)
  mkdirSync(to, { recursive: true, mode: 0o700 })
  const lock = takeLock(
    join(to, 'purlin.lock'),
    () => new BackupUnderWay(`another backup to ${to} is under way`),
  )
  try {
    const holder = await holderOf(to)
    const made = await withBackupLease({ ...around, holder }, (requireHeld) => make({ ...of, requireHeld }))
    if (!made) throw new BackupUnderWay('another backup of this database is under way')
    return made
  } finally {
    lock.close()
  }
}

/** The id of a folder of backups, as the holder of leases. */
async function holderOf(to: string): Promise<string> {
  const path = join(to, 'holder')
  if (!existsSync(path)) {
    const draft = `${path}.${randomUUID()}`
    await writeDurably(draft, randomUUID())
    renameSync(draft, path)
  }
  return readFile(path, 'utf8')
}

type Making = BackupOf & { requireHeld: () => Promise<void> }

async function make(of: Making): Promise<Made> {
  const { to, dataDir, keep, around, requireHeld } = of
  const { contents: contentsFolder, unfinished, manifests } = partsOf(to)
  // An earlier run may have been killed.
  rmSync(unfinished, { recursive: true, force: true })
  for (const folder of [unfinished, manifests]) mkdirSync(folder, { recursive: true, mode: 0o700 })
  const contents = openContents(contentsFolder)
  const ids = await idsIn(to)
  const last = ids.at(-1)
  const previous = last === undefined ? undefined : await readManifest(to, last)
  const id = idAt(around.clock.now())
  if (last !== undefined && id <= last)
    throw new BackupError(`the clock is behind that of the last backup, ${last}`)
  const copy: Copy = { contents, previous, isStopped: of.isStopped ?? (() => false) }
  const { file: database, facts } = await copyDatabase(of, copy, unfinished)
  const { identity } = facts
  if (identity === undefined) throw new BackupError('no server was ever started on this database')
  if (previous && previous.identity !== identity)
    throw new BackupError(`the folder ${to} has backups of another database: give each database a folder`)
  await requireFolder(of, facts)
  const found = await dataFilesIn(dataDir, identity)
  const files = [database]
  for (const path of found.copied) {
    const file = await copyFile(copy, join(dataDir, path), path)
    if (file) files.push(file)
  }
  const missing = missingFrom(files, facts)
  await contents.flush()
  const engine = of.databaseUrl === undefined ? 'sqlite' : 'postgres'
  const { rows, step } = facts
  // From here on the rows of the copy name nothing that may be removed.
  await requireHeld()
  await publish(to, { format: 1, id, version: version(), step, identity, engine, rows, missing, files })
  rmSync(unfinished, { recursive: true, force: true })
  const removed = keep === undefined ? [] : [...ids, id].slice(0, -keep)
  for (const one of removed) await removeManifest(to, one)
  await sweep(to, contents)
  return {
    id,
    bytes: files.reduce((sum, { size }) => sum + size, 0),
    newBytes: contents.stored(),
    files: files.length,
    rows: Object.values(rows).reduce((sum, n) => sum + n, 0),
    missing,
    unknown: found.unknown,
    machines: found.machines,
    removed,
  }
}

interface Copy {
  contents: Contents
  previous: Manifest | undefined
  isStopped: () => boolean
}

async function copyDatabase(
  { databaseUrl, dataDir }: Making,
  copy: Copy,
  unfinished: string,
): Promise<{ file: FileOfBackup; facts: Facts }> {
  if (databaseUrl !== undefined)
    return dumpPostgres(databaseUrl, async (dump, facts) => ({
      file: await store(copy, databasePath, dump),
      facts,
    }))
  const path = join(unfinished, 'purlin.db')
  await copySqlite(join(dataDir, 'purlin.db'), path)
  const facts = await factsOfSqlite(path)
  const file = await copyFile(copy, path, databasePath)
  if (!file) throw new BackupError('the copy of the database is gone')
  return { file, facts }
}

/** Throws unless the data folder is that of the database. */
async function requireFolder({ dataDir, place }: Making, { identity = '', folder }: Facts): Promise<void> {
  if (folder === undefined) return
  const textOf = async (name: string): Promise<string | undefined> => {
    const path = join(dataDir, 'blobs', identity, name)
    return existsSync(path) ? (await readFile(path, 'utf8')).trim() : undefined
  }
  if ((await textOf('folder')) !== folder)
    throw new BackupError(
      `the bytes of disks are in another data folder than ${dataDir}: give the --data-dir of the server`,
    )
  const owner = await textOf('database')
  if (place !== undefined && owner !== undefined && owner !== place)
    throw new BackupError(
      `the data folder ${dataDir} belongs to another database, of which this one is a copy`,
    )
}

/** Copies a file. Undefined if it no longer exists. */
async function copyFile(copy: Copy, from: string, path: string): Promise<FileOfBackup | undefined> {
  const file = await open(from, 'r').catch((error: unknown) => {
    if (systemCodeOf(error) !== 'ENOENT') throw error
  })
  if (!file) return undefined
  try {
    const stamp = stampOf(await file.stat({ bigint: true }))
    const known = stamp === undefined ? undefined : await unchanged(copy, path, stamp)
    if (known) return known
    const stored = await store(copy, path, bytesOf(file))
    return stamp === undefined ? stored : { ...stored, stamp }
  } finally {
    await file.close()
  }
}

// File systems note changes with the time of a clock that ticks some hundred times per second.
const settledMs = 2000

/** Any later change gives the file another stamp. None if the file has changed just now. */
function stampOf({ size, ino, ctimeNs, ctimeMs }: BigIntStats): string | undefined {
  return Number(ctimeMs) > Date.now() - settledMs ? undefined : `${ino} ${size} ${ctimeNs}`
}

/** The file as the last backup has it, if it is the same and all of its pieces are still there. */
async function unchanged(
  { previous, contents }: Copy,
  path: string,
  stamp: string,
): Promise<FileOfBackup | undefined> {
  const known = previous?.files.find((one) => one.path === path)
  if (known?.stamp !== stamp) return undefined
  const list = await contents.get(known.list).catch(() => undefined)
  if (!list) return undefined
  for (const piece of parseList(list.toString())) if (!(await contents.has(piece))) return undefined
  return known
}

async function* bytesOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(pieceSize)
  for (let at = 0; ;) {
    const { bytesRead } = await file.read(buffer, 0, pieceSize, at)
    if (bytesRead === 0) return
    yield buffer.subarray(0, bytesRead)
    at += bytesRead
  }
}

const zeros = Buffer.alloc(pieceSize)

/** Stores bytes in pieces. */
async function store(
  { contents, isStopped }: Copy,
  path: string,
  bytes: AsyncIterable<Uint8Array>,
): Promise<FileOfBackup> {
  const pieces: Piece[] = []
  const room = Buffer.alloc(pieceSize)
  let used = 0
  let size = 0
  const end = async () => {
    if (used === 0) return
    if (isStopped()) throw new BackupError('the server ends')
    const piece = room.subarray(0, used)
    const last = pieces.at(-1)
    const isZero = zeros.compare(piece, 0, used, 0, used) === 0
    if (isZero && last && last.digest === undefined) last.length += used
    else pieces.push({ digest: isZero ? undefined : await contents.put(piece), length: used })
    size += used
    used = 0
  }
  for await (const some of bytes)
    for (let at = 0; at < some.length;) {
      const part = some.subarray(at, at + pieceSize - used)
      room.set(part, used)
      used += part.length
      at += part.length
      if (used === pieceSize) await end()
    }
  await end()
  return { path, size, list: await contents.put(Buffer.from(listText(pieces))) }
}

/** Files that the rows name and that are not there. */
function missingFrom(files: readonly FileOfBackup[], { identity, layers, files: stored }: Facts): string[] {
  const paths = new Set(files.map(({ path }) => path))
  const named = [
    ...layers.flatMap(({ id, hasParent }) => [
      `blobs/${identity}/${id}.data`,
      ...(hasParent ? [`blobs/${identity}/${id}.map`] : []),
    ]),
    ...stored.map(({ folder, id }) => `${folder}/${identity}/${id}.zip`),
  ]
  return named.filter((path) => !paths.has(path))
}

/** Deletes the pieces that no backup consists of. */
async function sweep(to: string, contents: Contents): Promise<void> {
  const lists = new Set<string>()
  for (const id of await idsIn(to)) for (const { list } of (await readManifest(to, id)).files) lists.add(list)
  const digests = new Set(lists)
  for (const list of lists) {
    const pieces = parseList((await contents.get(list)).toString())
    for (const { digest } of pieces) if (digest !== undefined) digests.add(digest)
  }
  await contents.keepOnly(digests)
}
