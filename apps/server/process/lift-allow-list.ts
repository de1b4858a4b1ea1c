/** `npm run allow-any -- [flags of the server]`: accepts requests from any source address again. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { liftAllowList } from '@purlin/core'
import type { Engine } from '@purlin/core/ports'
import { messageOf } from '@purlin/databases/error-codes'
import { openPostgres } from '@purlin/databases/postgres'
import { openSqlite } from '@purlin/databases/sqlite-node'
import { readConfig, type Config } from './config.ts'
import { ConfigError } from './config-values.ts'

/** Lifts the allow list, also while servers run. The exit code is 0, 1 for a failure, 2 for invalid flags. */
export async function main(argv: string[]): Promise<number> {
  try {
    const command = readConfig(argv, process.env)
    if (command.at !== 'run') throw new ConfigError('give the --data-dir or --database-url of the server')
    const engine = open(command.config)
    try {
      await liftAllowList(engine, Date.now())
    } finally {
      await engine.close()
    }
    console.log('Requests are accepted from any address again. Servers that run notice it within a minute.')
    return 0
  } catch (error) {
    console.error(`purlin: ${messageOf(error)}`)
    return error instanceof ConfigError ? 2 : 1
  }
}

function open({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Engine {
  if (databaseUrl !== undefined) return openPostgres(databaseUrl, () => undefined)
  const file = join(dataDir, 'purlin.db')
  if (!existsSync(file)) throw new Error(`there is no database ${file}: give the --data-dir of the server`)
  return openSqlite(file)
}
