/** The embedded database of a data folder. */
import { StorageFull, type Engine, type Log } from '@purlin/core/ports'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { takeDataDir } from './data-dir.ts'
import { openRoom, type Room } from './room.ts'
import { inWords } from '../process/start-errors.ts'

/** A database that is open, and what belongs to it. */
export interface OpenDatabase {
  engine: Engine
  /** as messages name it */
  name: string
  /** Room on the volume of the data folder. */
  room: Room
  release: () => Promise<void>
}

/** Takes the data folder and opens the database in it. Throws StartError. */
export async function openEmbedded(folder: string, log: Log): Promise<OpenDatabase> {
  const { file: name, release } = takeDataDir(folder)
  const room = openRoom(folder, log)
  const hooks = {
    onFull: room.giveUp,
    onTrouble: (reason: string | null) =>
      reason === null
        ? log.info({ database: name }, 'the database can be used again')
        : log.error({ database: name, reason }, 'the database cannot be used'),
  }
  const open = () => openSqlite(name, hooks)
  try {
    return { engine: orInReserve(room, open), name, room, release: () => room.close().then(release) }
  } catch (error) {
    await room.close()
    release()
    throw inWords(error, { database: name, folder })
  }
}

function orInReserve<T>(room: Room, open: () => T): T {
  try {
    return open()
  } catch (error) {
    if (!(error instanceof StorageFull)) throw error
    room.giveUp()
    return open()
  }
}
