/** The database of a server: the embedded one in its folder, or PostgreSQL, which several servers may share. */
import { messageOf } from '@purlin/databases/error-codes'
import { setTimeout as wait } from 'node:timers/promises'
import type { Clock, Log } from '@purlin/core/ports'
import { openPostgres, type DatabaseEvent, type PostgresEngine } from '@purlin/databases/postgres'
import type { Config } from '../process/config.ts'
import { makeDataDir, requireWhole } from './data-dir.ts'
import { openEmbedded, type OpenDatabase } from './embedded.ts'
import { systemClock } from '../process/ports.ts'
import { openDiskReserve } from './disk-reserve.ts'
import { StartError } from '../process/start-errors.ts'

export interface Database extends OpenDatabase {
  /** One clock for all servers of the database. */
  clock: Clock
  /** Says which PostgreSQL database it is; undefined for the embedded one, which is in the data folder. */
  place?: string
  /** Resolves, with the reason, if this server must end because another one runs the instances now. */
  displaced: Promise<string>
}

// Longer than a server takes to shut down, and than the database takes to notice that the machine of one is gone.
const rackWaitMs = 20_000

/** Opens the database that the settings name. Throws StartError. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) return openShared(databaseUrl, config, log)
  const displaced = new Promise<string>(() => undefined)
  return { ...(await openEmbedded(dataDir, log)), clock: systemClock, displaced }
}

async function openShared(url: string, { apiOnly, dataDir }: Config, log: Log): Promise<Database> {
  makeDataDir(dataDir)
  requireWhole(dataDir)
  const { promise: displaced, resolve } = Promise.withResolvers<string>()
  const engine = openPostgres(url, (event) => {
    logEvent(log, event)
    if (event.at === 'displaced') resolve(`Another server runs the instances now: ${event.holder}`)
  })
  try {
    await engine.transaction('read', () => Promise.resolve())
    log.info(
      await engine.connections(),
      'connections to the database: those that this server needs, and those accepted',
    )
    if (!apiOnly) await takeRack(engine, log)
    const clock: Clock = { ...systemClock, now: () => engine.now() }
    const place = await engine.place()
    const reserve = openDiskReserve(dataDir, log)
    return { engine, name: 'PostgreSQL', place, reserve, clock, displaced, release: reserve.close }
  } catch (error) {
    await engine.close()
    if (error instanceof StartError) throw error
    const reason = messageOf(error)
    throw new StartError(`The PostgreSQL database cannot be used: ${reason}`, { cause: error })
  }
}

// Each rack is simulated by its server: two of them would fail each other's instances.
async function takeRack(engine: PostgresEngine, log: Log): Promise<void> {
  const end = performance.now() + rackWaitMs
  let last: string | null = null
  for (;;) {
    const holder = await engine.hold('rack')
    if (holder === null) return
    if (holder !== last) log.info({ holder }, 'waiting for the server that runs the instances to end')
    last = holder
    if (performance.now() > end)
      throw new StartError(
        `Another server runs the instances of this database: ${holder}. Stop it, or start this one with --api-only.`,
      )
    await wait(100)
  }
}

function logEvent(log: Log, event: DatabaseEvent): void {
  switch (event.at) {
    case 'away':
      return log.warn({ reason: event.reason }, 'the database is away: requests are refused until it is back')
    case 'back':
      return log.info({ afterMs: event.afterMs }, 'the database is back')
    case 'full':
      return log.warn({ reason: event.reason }, 'no connection to the database is free: requests are refused')
    case 'held':
      return log.warn({ holder: event.holder }, 'waiting for the database to end a session')
    case 'displaced':
      return log.error({ holder: event.holder }, 'another server runs the instances now')
  }
}
