/** One server: opens and closes database, sleds, control plane and the HTTP and WebSocket servers. */
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { type ControlPlane, createControlPlane, fault, openConsole, type World } from '@purlin/core'
import { createFairQueue } from '@purlin/core/ports'
import { lazyFactors } from '@purlin/factors/lazy'
import { fleetAuthority } from '@purlin/remote/authority'
import { lazyVerifier, lazyZips } from '@purlin/tuf/lazy'
import { limits } from '@purlin/contract/rules/limits'
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import { serverFiles } from '../bundles/server-files.ts'
import { createBodyBudget } from '../http/body-budget.ts'
import { systemCertificates } from '../tls/certificates.ts'
import { originOf, servesTls, type Config } from './config.ts'
import { createWarning, limitConnections } from '../http/connections.ts'
import { openDatabase, type Database } from '../storage/database.ts'
import { openImports } from '../images/imports.ts'
import { diskFolderOf, openDisks } from '../storage/disk-folder.ts'
import { openStoredFiles } from '../storage/file-folder.ts'
import { inWords, StartError } from './start-errors.ts'
import { createHttpServer, type HttpServer, type HttpWorld } from '../http/http.ts'
import { createMetrics, type Metrics } from '../monitoring/metrics.ts'
import { createMonitoring } from '../monitoring/monitoring.ts'
import { tracesOf, type Traces } from '../monitoring/traces.ts'
import type { ServerLog } from './log.ts'
import { openMachines, type Machines } from './machines.ts'
import { version } from './version.ts'
import type { Reach } from '../http/node-request.ts'
import { createPages } from '../pages/pages.ts'
import { createPasswords } from './passwords.ts'
import { systemIds, systemSha256 } from './ports.ts'
import { createSiloTls } from '../tls/silo-tls.ts'
import { createSockets, type Sockets } from '../sockets/sockets.ts'
import { openGuide } from '../pages/guide.ts'
import { openStatic } from '../pages/static.ts'
import { listBackups } from '../backup/list.ts'
import { BackupUnderWay, makeBackup } from '../backup/make.ts'
import { createWebhookSender } from '../webhooks/sender.ts'
import { mailOf } from '../mail/settings.ts'
import { createOidc } from '../oidc/oidc.ts'
import { createSaml } from '../saml/saml.ts'
import { listenProblem, portOf } from '../http/listening.ts'

export interface RunningServer {
  /** where a browser on this machine finds it, without a slash at the end */
  url: string
  plane: ControlPlane
  /** How machines run, for people; undefined if they run elsewhere. */
  machines: string | undefined
  /** Answers requests; until then those that come wait. */
  open: () => void
  /** Lets requests under way finish, closes the sockets with a reason, closes the database. */
  stop(): Promise<void>
}

const consoleDir = fileURLToPath(new URL('../../console/dist', import.meta.url))
const guideDir = fileURLToPath(new URL('../../guide/dist', import.meta.url))
const graceMs = 10_000
// Work of a server that has ended is taken over within five seconds: claims last four.
const lookMs = 3_000

/** Starts a server that listens and, after `open`, answers. Throws StartError for what its operator can fix. */
export async function startServer(config: Config, log: ServerLog): Promise<RunningServer> {
  const database = await openDatabase(config, log)
  try {
    const metrics = createMetrics(version())
    const traces = await tracesOf(config, log)
    const parts: Parts = { database, metrics, traces, http: undefined, machines: undefined }
    const plane = await createControlPlane(await createWorld(config, log, parts))
    try {
      const { http, sockets } = createServers(config, plane, parts)
      parts.http = http
      const url = await listen(http, config)
      const stop = async () => {
        await Promise.all([sockets.close(), http.stop(graceMs)])
        await plane.close()
        await parts.machines?.close()
        await Promise.all([database.release(), traces?.close()])
      }
      return {
        url,
        plane,
        machines: parts.machines?.note,
        open: http.open,
        stop,
      }
    } catch (error) {
      await plane.loops.stop()
      throw error
    }
  } catch (error) {
    await database.engine.close().catch(() => undefined)
    await database.release()
    throw inWords(error, { database: database.name, folder: config.dataDir })
  }
}

interface Parts {
  database: Database
  metrics: Metrics
  traces: Traces | undefined
  /** Undefined until they are made. */
  http: HttpServer | undefined
  machines: Machines | undefined
}

async function createWorld(config: Config, log: ServerLog, parts: Parts): Promise<World> {
  const { database, metrics, traces } = parts
  const { clock, reserve, place } = database
  const engine = traces?.engineOf(database.engine) ?? database.engine
  const around = { engine, clock, ids: systemIds }
  const { isFull } = reserve
  const { dataDir: folder, adoptDisksOf } = config
  const blobs = await openDisks({ world: around, folder, place, adoptDisksOf, isFull, log })
  const files = { world: around, folder, isFull, unreachable: blobs.unreachable ?? blobs.readOnly }
  const disks = { blobs, ...(await diskFolderOf(around, folder)) }
  parts.machines = await openMachines(config, { engine, clock, log, ...disks })
  return {
    ...around,
    log,
    meter: metrics.loops,
    ...(traces ? { tracer: traces.tracer } : {}),
    passwords: createPasswords(),
    sleds: parts.machines.sleds,
    ...(config.databaseUrl === undefined ? {} : { lookMs, hasHostsInside: true }),
    blobs,
    updates: {
      files: await openStoredFiles(files, 'updates', limits.update.repository),
      verifier: lazyVerifier,
    },
    bundles: {
      files: await openStoredFiles(files, 'bundles', bundleLimits.zip),
      zips: lazyZips,
      ofServer: () => serverFiles({ config, log, metrics, engine, http: () => parts.http }),
    },
    imageImports: await openImports(files, {
      refused: [...config.webhooksRefuse, ...config.imagesRefuse],
      allowed: config.imagesAllow,
    }),
    ...backupsOf(config, database, files.unreachable),
    webhooks: createWebhookSender({ refused: config.webhooksRefuse, allowed: config.webhooksAllow }),
    ...(await mailOf(config)),
    saml: createSaml({ refused: config.webhooksRefuse, allowed: config.webhooksAllow }),
    oidc: createOidc({ refused: config.webhooksRefuse, allowed: config.webhooksAllow }),
    secondFactors: lazyFactors,
    sha256: systemSha256,
    fleetAuthority,
    certificates: systemCertificates,
    zone: config.zone,
    fairQueue: createFairQueue({
      now: () => performance.now(),
      afterInput: (then) => void setImmediate(then),
      // Ticks run once all microtasks have run, including new ones.
      afterWork: (then) => queueMicrotask(() => process.nextTick(then)),
      most: limits.requestsWaiting,
      refusal: fault.tooManyWaiting,
    }),
    counts: config.limits,
    auditDays: config.auditDays,
    storage: database.storage,
    sessions: {
      idleMs: config.sessionIdleMinutes * 60_000,
      absoluteMs: config.sessionAbsoluteMinutes * 60_000,
    },
  }
}

/** The scheduled backups, if there are to be some and this server can make them. Throws StartError. */
function backupsOf(
  { backupTo: to, backupEvery, backupKeep: keep, dataDir, databaseUrl }: Config,
  { engine, clock, place }: Database,
  unreachable: string | undefined,
): Pick<World, 'backups'> {
  if (to === undefined) return {}
  if (unreachable !== undefined) throw new StartError(`Backups are impossible: ${unreachable}.`)
  const around = { engine, clock }
  const make = (isStopped: () => boolean) =>
    makeBackup({ around, dataDir, databaseUrl, place, to, keep, isStopped }).catch((error: unknown) => {
      if (!(error instanceof BackupUnderWay)) throw error
      return undefined
    })
  const list = (most: number) => listBackups(to, most)
  return { backups: { everyMs: backupEvery * 60 * 60_000, folder: to, keep, list, make } }
}

interface Servers {
  http: HttpServer
  sockets: Sockets
}

function createServers(config: Config, plane: ControlPlane, { metrics, traces, machines }: Parts): Servers {
  const { world } = plane
  const { behindProxy, publicUrl } = config
  const onMisread = createWarning(world.log, 'the proxy sends a header that is not understood')
  const reach: Reach = { behindProxy, publicUrl, bodies: createBodyBudget(), onMisread }
  const pages = createPages({
    world,
    api: plane,
    files: openStatic(consoleDir),
    guide: openGuide(guideDir),
  })
  const { metricsToken: token } = config
  const isShared = machines?.sharesLoopback ?? false
  const http = createHttpServer({
    api: plane,
    pages,
    log: world.log,
    reach,
    allowList: plane.allowList,
    monitoring: ({ server, isOpen }) => createMonitoring({ world, metrics, token, isShared, isOpen, server }),
    answered: metrics.answered,
    traces,
    ...tlsOf(config, world),
  })
  const sockets = createSockets({
    world,
    api: plane,
    open: openConsole,
    reach,
    allowList: plane.allowList,
  })
  const perAddress = behindProxy ? undefined : config.maxConnectionsPerAddress
  limitConnections(http.server, { all: config.maxConnections, perAddress }, world.log)
  http.server.on('upgrade', sockets.upgrade)
  return { http, sockets }
}

function tlsOf(config: Config, world: World): Pick<HttpWorld, 'tls'> {
  const { tlsCert: cert, tlsKey: key } = config
  if (!servesTls(config)) return {}
  const files = cert !== undefined && key !== undefined ? { cert, key } : undefined
  return { tls: { files, choose: createSiloTls(world) } }
}

async function listen({ server }: HttpServer, config: Config): Promise<string> {
  const { host, port } = config
  server.listen({ host, port })
  try {
    await once(server, 'listening')
  } catch (error) {
    throw new StartError(listenProblem(error, { host, port, flag: '--port' }), { cause: error })
  }
  return originOf(config, portOf(server))
}
