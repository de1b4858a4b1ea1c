/** The database of a server, for commands that may run at the same time. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Clock, Engine } from '@purlin/core/ports'
import { openPostgres } from '@purlin/databases/postgres'
import { openSqlite, openSqliteToRead } from '@purlin/databases/sqlite-node'
import type { Config } from '../process/config.ts'
import { systemClock } from '../process/ports.ts'

export type DatabaseOf = Pick<Config, 'dataDir' | 'databaseUrl'>

export interface ExistingDatabase {
  engine: Engine
  /** One clock for all processes of the database. */
  clock: Clock
  /** Says which PostgreSQL database it is. */
  place?: () => Promise<string>
}

/** Opens a database that exists. With `readOnly`, an embedded one is only read. */
export function openExisting(
  { dataDir, databaseUrl }: DatabaseOf,
  { readOnly = false } = {},
): ExistingDatabase {
  if (databaseUrl !== undefined) {
    const engine = openPostgres(databaseUrl, () => undefined)
    return { engine, clock: { ...systemClock, now: () => engine.now() }, place: () => engine.place() }
  }
  const file = join(dataDir, 'purlin.db')
  if (!existsSync(file)) throw new Error(`there is no database ${file}: give the --data-dir of the server`)
  return { engine: readOnly ? openSqliteToRead(file) : openSqlite(file), clock: systemClock }
}
