/** One server: database, sleds, control plane and doors, put together and taken apart. */
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { World } from '@purlin/core/context'
import { createControlPlane, type ControlPlane } from '@purlin/core/control-plane'
import { identityOf } from '@purlin/core/db/identity'
import type { Engine } from '@purlin/core/db/engine'
import type { Log } from '@purlin/core/ports'
import { demoPastMs } from '@purlin/core/seed/history'
import { openSerialConsole } from '@purlin/core/resources/instance/console'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { openBlobs } from './blobs.ts'
import type { Config } from './config.ts'
import { StartError, takeDataDir } from './data-dir.ts'
import { openPostgres } from './databases/postgres.ts'
import { openSqlite } from './databases/sqlite.ts'
import { createHttpServer, type HttpServer } from './http.ts'
import { createPages } from './pages.ts'
import { createPasswords } from './passwords.ts'
import { systemClock, systemIds, systemSha256 } from './ports.ts'
import { createSockets, type Sockets } from './sockets.ts'
import { openStatic } from './static.ts'

export interface RunningServer {
  /** where a browser on this machine finds it, without a slash at the end */
  url: string
  plane: ControlPlane
  /** Answers requests; until then those that come wait. */
  open: () => void
  /** Lets requests under way finish, says goodbye to sockets, closes the database. */
  stop(): Promise<void>
}

const consoleDir = fileURLToPath(new URL('../console/dist', import.meta.url))
const graceMs = 10_000

/** Starts a server that listens and, once told to open, answers. Throws StartError for what its operator can put right. */
export async function startServer(config: Config, log: Log): Promise<RunningServer> {
  const database = await openDatabase(config, log)
  try {
    const plane = await createControlPlane(await createWorld(config, log, database.engine))
    try {
      const { http, sockets, secure } = openDoors(config, plane)
      const url = await listen(http, config, secure)
      const stop = async () => {
        await Promise.all([sockets.close(), http.stop(graceMs)])
        await plane.close()
        database.release()
      }
      return { url, plane, open: http.open, stop }
    } catch (error) {
      await plane.loops.stop()
      throw error
    }
  } catch (error) {
    await database.engine.close().catch(() => undefined)
    database.release()
    throw error
  }
}

interface Database {
  engine: Engine
  release: () => void
}

function openDatabase({ databaseUrl, dataDir }: Config, log: Log): Database | Promise<Database> {
  if (databaseUrl !== undefined) return reachPostgres(databaseUrl, log)
  const folder = takeDataDir(dataDir)
  try {
    return { engine: openSqlite(folder.file), release: folder.release }
  } catch (error) {
    folder.release()
    throw new StartError(`The database ${folder.file} cannot be opened: ${String(error)}`, { cause: error })
  }
}

async function reachPostgres(url: string, log: Log): Promise<Database> {
  const onError = (error: Error) => log.warn({ error: error.message }, 'an idle database connection broke')
  const engine = openPostgres(url, onError)
  try {
    await engine.transaction('read', () => Promise.resolve())
    return { engine, release: () => undefined }
  } catch (error) {
    await engine.close()
    // A host with several addresses fails with one error for each.
    const all: unknown[] = error instanceof AggregateError ? error.errors : [error]
    const reasons = all.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
    throw new StartError(`The PostgreSQL database cannot be used: ${reasons}`, { cause: error })
  }
}

async function createWorld(config: Config, log: Log, engine: Engine): Promise<World> {
  const around = { engine, clock: systemClock, ids: systemIds }
  // Bytes that no row names are swept away, so that another database must never be given this one's.
  const blobs = openBlobs(join(config.dataDir, 'blobs', await identityOf(around)))
  return {
    ...around,
    log,
    passwords: createPasswords(),
    sleds: createSimulatedSleds({ clock: systemClock, ...(config.demo ? { past: demoPastMs } : {}) }),
    blobs,
    sha256: systemSha256,
    sessions: {
      idleMs: config.sessionIdleMinutes * 60_000,
      absoluteMs: config.sessionAbsoluteMinutes * 60_000,
    },
  }
}

interface Doors {
  http: HttpServer
  sockets: Sockets
  secure: boolean
}

function openDoors({ behindProxy, tlsCert: cert, tlsKey: key }: Config, plane: ControlPlane): Doors {
  const { world } = plane
  const tls = cert !== undefined && key !== undefined ? { cert, key } : undefined
  const pages = createPages({ world, api: plane, files: openStatic(consoleDir) })
  const http = createHttpServer({ api: plane, pages, log: world.log, behindProxy, ...(tls ? { tls } : {}) })
  const sockets = createSockets({ world, api: plane, open: openSerialConsole, behindProxy })
  http.server.on('upgrade', sockets.upgrade)
  return { http, sockets, secure: tls !== undefined }
}

async function listen({ server }: HttpServer, { host, port }: Config, secure: boolean): Promise<string> {
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(listenProblem(error as NodeJS.ErrnoException, host, port), { cause: error })
  }
  const { port: chosen } = server.address() as AddressInfo
  const isAnyAddress = host === '0.0.0.0' || host === '::'
  const name = isAnyAddress ? 'localhost' : host.includes(':') ? `[${host}]` : host
  return `${secure ? 'https' : 'http'}://${name}:${chosen}`
}

function listenProblem({ code, message }: NodeJS.ErrnoException, host: string, port: number): string {
  if (code === 'EADDRINUSE')
    return `Port ${port} on ${host} is in use. Stop what listens there, or choose another --port.`
  if (code === 'EACCES') return `Port ${port} may not be used by this user. Choose a --port above 1023.`
  return `Cannot listen on ${host} port ${port}: ${message}`
}
