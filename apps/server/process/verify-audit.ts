/** `npm run audit -- [--head HASH] [flags of the server]`: verifies the chain of hashes of the audit log. */
import { messageOf } from '@purlin/databases/error-codes'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { verifyAuditLog, type Verified } from '@purlin/core'
import type { Engine } from '@purlin/core/ports'
import { openPostgres } from '@purlin/databases/postgres'
import { openSqliteToRead } from '@purlin/databases/sqlite-node'
import { readConfig, type Config } from './config.ts'
import { ConfigError } from './config-values.ts'
import { systemSha256 } from './ports.ts'

/** Prints the result. The exit code is 0 for an unbroken chain, 1 for any other, 2 for invalid flags. */
export async function main(argv: string[]): Promise<number> {
  try {
    const { config, head } = read(argv)
    const engine = open(config)
    try {
      const found = await verifyAuditLog({ engine, sha256: systemSha256 }, head)
      console.log(report(found))
      return found.problem === undefined ? 0 : 1
    } finally {
      await engine.close()
    }
  } catch (error) {
    console.error(`purlin: ${messageOf(error)}`)
    return error instanceof ConfigError ? 2 : 1
  }
}

function read(argv: string[]): { config: Pick<Config, 'dataDir' | 'databaseUrl'>; head?: string } {
  // All other flags are the server's.
  const { values, tokens } = parseArgs({
    args: argv,
    options: { head: { type: 'string' } },
    strict: false,
    tokens: true,
  })
  const own = tokens.filter((one) => one.kind === 'option' && one.name === 'head')
  const ours = new Set(own.flatMap(({ index }) => [index, ...(argv[index] === '--head' ? [index + 1] : [])]))
  const command = readConfig(
    argv.filter((_, i) => !ours.has(i)),
    process.env,
  )
  if (command.at !== 'run')
    throw new ConfigError('give --data-dir or --database-url, and --head for a known hash')
  const { head } = values
  if (head === undefined) return { config: command.config }
  if (typeof head !== 'string' || !/^[0-9a-f]{64}$/.test(head))
    throw new ConfigError('--head must be a hash of 64 hexadecimal digits')
  return { config: command.config, head }
}

// A server may be using the database at the same time.
const open = ({ dataDir, databaseUrl }: Pick<Config, 'dataDir' | 'databaseUrl'>): Engine =>
  databaseUrl === undefined
    ? openSqliteToRead(join(dataDir, 'purlin.db'))
    : openPostgres(databaseUrl, () => undefined)

function report({ entries, first, last, head, problem }: Verified): string {
  const range =
    first === null || last === null
      ? ''
      : `, from ${new Date(first).toISOString()} to ${new Date(last).toISOString()}`
  const counted = `${entries} ${entries === 1 ? 'entry' : 'entries'}${range}`
  return problem === undefined
    ? `The audit log is unbroken: ${counted}.\nIts last hash is ${head}`
    : `The audit log is broken after ${counted}: ${problem}.`
}
