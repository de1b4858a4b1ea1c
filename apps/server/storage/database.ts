/** The database of a server: the embedded one in its folder, or PostgreSQL, which several servers may share. */
import { messageOf } from '@purlin/databases/error-codes'
import type { Clock, Log } from '@purlin/core/ports'
import { openPostgres, type DatabaseEvent } from '@purlin/databases/postgres'
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
}

/** Opens the database that the settings name. Throws StartError. */
export async function openDatabase(config: Config, log: Log): Promise<Database> {
  const { databaseUrl, dataDir } = config
  if (databaseUrl !== undefined) return openShared(databaseUrl, config, log)
  return { ...(await openEmbedded(dataDir, log)), clock: systemClock }
}

async function openShared(url: string, { dataDir }: Config, log: Log): Promise<Database> {
  makeDataDir(dataDir)
  requireWhole(dataDir)
  const engine = openPostgres(url, (event) => logEvent(log, event))
  try {
    await engine.transaction('read', () => Promise.resolve())
    log.info(
      await engine.connections(),
      'connections to the database: those that this server needs, and those accepted',
    )
    const clock: Clock = { ...systemClock, now: () => engine.now() }
    const place = await engine.place()
    const reserve = openDiskReserve(dataDir, log)
    const storage = engine.holdReserve()
    return { engine, name: 'PostgreSQL', place, reserve, storage, clock, release: reserve.close }
  } catch (error) {
    await engine.close()
    if (error instanceof StartError) throw error
    const reason = messageOf(error)
    throw new StartError(`The PostgreSQL database cannot be used: ${reason}`, { cause: error })
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
    case 'storageFull':
      return log.error({}, 'the volume of the database is full: only what frees room is done')
    case 'storageBack':
      return log.info({}, 'the volume of the database has room again')
    case 'noReserve':
      return log.warn(
        { reason: event.reason },
        'no room can be held in reserve on the volume of the database',
      )
    case 'older':
      return log.warn({}, 'a server of an older version drives the hosts until it ends')
  }
}
