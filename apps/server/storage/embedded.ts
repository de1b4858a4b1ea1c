/** The embedded database of a data folder. */
import { StorageFull, type Engine, type Log } from '@purlin/core/ports'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { takeDataDir } from './data-dir.ts'
import { openDiskReserve, type DiskReserve } from './disk-reserve.ts'
import { inWords } from '../process/start-errors.ts'

/** A database that is open, and what belongs to it. */
export interface OpenDatabase {
  engine: Engine
  /** as messages name it */
  name: string
  /** The reserve on the volume of the data folder. */
  reserve: DiskReserve
  /** Whether the volume of the database is full. */
  storage: Pick<DiskReserve, 'isFull'>
  release: () => Promise<void>
}

/** Takes the data folder and opens the database in it. Throws StartError. */
export async function openEmbedded(folder: string, log: Log): Promise<OpenDatabase> {
  const { file: name, release } = takeDataDir(folder)
  const reserve = openDiskReserve(folder, log)
  const hooks = {
    onFull: reserve.giveUp,
    onTrouble: (reason: string | null) =>
      reason === null
        ? log.info({ database: name }, 'the database can be used again')
        : log.error({ database: name, reason }, 'the database cannot be used'),
  }
  const open = () => openSqlite(name, hooks)
  try {
    const engine = orInReserve(reserve, open)
    return { engine, name, reserve, storage: reserve, release: () => reserve.close().then(release) }
  } catch (error) {
    await reserve.close()
    release()
    throw inWords(error, { database: name, folder })
  }
}

function orInReserve<T>(reserve: DiskReserve, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error
    reserve.giveUp()
    return open()
  }
}
