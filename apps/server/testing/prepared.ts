/**
 * Servers that need not be new: their data are a copy of those of a server that was started before, with sessions as
 * sign-ins leave them. Each password costs a second (decision 0021).
 */
import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { newFolder } from './children.ts'
import { admin, serve, type HowToServe, type ServerProcess } from './process.ts'
import { type Api, clientOf } from './requests.ts'

/** A signed-in user. */
export interface Known {
  cookie: string
  api: Api
}

/** Works in the database of a folder, whose server must not be running: it would not notice. */
export function inDatabase<T>(folder: string, work: (db: DatabaseSync) => T): T {
  const db = new DatabaseSync(join(folder, 'purlin.db'))
  try {
    return work(db)
  } finally {
    db.close()
  }
}

/** Adds a session of a user and returns its cookie. */
export function addSession(folder: string, { silo, user }: { silo: string; user: string } = admin): string {
  const token = randomBytes(20).toString('hex')
  const added = inDatabase(folder, (db) =>
    db
      .prepare(
        `insert into session (id, "tokenHash", "siloUserId", "timeCreated", "timeLastUsed")
         select ?, ?, one.id, ?, ? from "siloUser" one join silo on silo.id = one."siloId"
         where silo.name = ? and one."externalId" = ?`,
      )
      .run(
        randomUUID(),
        createHash('sha256').update(token).digest('hex'),
        Date.now(),
        Date.now(),
        silo,
        user,
      ),
  )
  if (added.changes !== 1) throw new Error(`there is no user ${user} in silo ${silo}`)
  return `session=${token}`
}

let prepared: Promise<string> | undefined

async function prepare(): Promise<string> {
  const { path } = newFolder({ isLasting: true })
  const server = await serve({ folder: path })
  await server.stop()
  return path
}

/** Puts the data of a server that was started once into a folder, and returns the cookie of its administrator. */
export async function fillFolder(folder: string): Promise<string> {
  const from = await (prepared ??= prepare())
  // The reserve is created again: it depends on the volume.
  cpSync(from, folder, { recursive: true, filter: (path) => !path.endsWith('.reserve') })
  return addSession(folder)
}

/** Starts a server that has been started before, whose administrator is signed in. */
export async function serveKnown(
  how: HowToServe & { databaseUrl?: never } = {},
): Promise<ServerProcess & Known & { folder: string }> {
  const folder = how.folder ?? newFolder().path
  const cookie = await fillFolder(folder)
  const server = await serve({ ...how, folder })
  return { ...server, folder, cookie, api: clientOf(server.url, cookie) }
}
