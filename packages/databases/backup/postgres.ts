/** Dumps of a PostgreSQL database by `pg_dump`, and their restore by `pg_restore`. */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import pg from 'pg'
import { messageOf, systemCodeOf } from '../error-codes.ts'
import { connectionTo } from '../postgres/settings.ts'
import { readFacts, type Facts, type Query } from './facts.ts'

/** Receives a dump and the facts of the same snapshot. */
type Receive<T> = (dump: Readable, facts: Facts) => Promise<T>

/** Dumps a database in the custom format, as it is at one moment. */
export const dumpPostgres = <T>(url: string, receive: Receive<T>): Promise<T> =>
  withSnapshot(url, async (query) => {
    const [exported] = await query('select pg_export_snapshot() as id')
    const facts = await factsOf(query)
    const snapshot = `--snapshot=${String(exported?.['id'])}`
    const child = run('pg_dump', url, ['--format=custom', '--no-owner', '--no-privileges', snapshot])
    const { stdout } = child.process
    if (!stdout) throw new Error('pg_dump has no output')
    try {
      const result = await receive(stdout, facts)
      await child.done
      return result
    } catch (error) {
      child.process.kill('SIGKILL')
      // If it failed itself, its reason is the better one.
      await child.done.catch((cause: unknown) => {
        if (cause instanceof ProgramFailed && cause.hasReason) throw cause
      })
      throw error
    }
  })

/** Restores a dump into an empty database, in one transaction. */
export async function restorePostgres(url: string, dump: AsyncIterable<Uint8Array>): Promise<void> {
  // It reads the dump from a pipe: if this process is killed, the dump ends too early, and nothing is committed.
  const child = run('pg_restore', url, ['--single-transaction', '--no-owner', '--no-privileges'])
  const { stdin } = child.process
  if (!stdin) throw new Error('pg_restore has no input')
  const sent = pipeline(dump, stdin).catch((error: unknown) => {
    // It ends early if it fails.
    if (systemCodeOf(error) !== 'EPIPE') throw error
  })
  try {
    await sent
  } catch (error) {
    child.process.kill('SIGKILL')
    await child.done.catch(() => undefined)
    throw error
  }
  await child.done
}

/** The facts of a database at one moment. */
export const factsOfPostgres = (url: string): Promise<Facts> => withSnapshot(url, factsOf)

async function factsOf(query: Query): Promise<Facts> {
  const tables = await query(
    `select table_name as name from information_schema.tables
     where table_schema = current_schema() and table_type = 'BASE TABLE'`,
  )
  return readFacts(
    query,
    tables.map(({ name }) => String(name)),
  )
}

async function withSnapshot<T>(url: string, work: (query: Query) => Promise<T>): Promise<T> {
  const client = new pg.Client(connectionTo(url))
  // An end of the connection is noticed by the next query.
  client.on('error', () => undefined)
  try {
    await client.connect()
  } catch (error) {
    throw new Error(`the PostgreSQL database cannot be reached: ${messageOf(error)}`, { cause: error })
  }
  try {
    await client.query('begin isolation level repeatable read read only')
    await client.query('set local idle_in_transaction_session_timeout = 0')
    await client.query('set local statement_timeout = 0')
    return await work(async (sql) => (await client.query<Record<string, unknown>>(sql)).rows)
  } finally {
    await client.end()
  }
}

/** A program of PostgreSQL that has failed. */
class ProgramFailed extends Error {
  override name = 'ProgramFailed'
  readonly hasReason: boolean
  constructor(program: string, reason: string) {
    super(`${program} failed${reason === '' ? '' : `: ${reason}`}`)
    this.hasReason = reason !== ''
  }
}

const mostReason = 2000

function run(program: string, url: string, args: readonly string[]) {
  const { password, address } = withoutPassword(url)
  const child: ChildProcess = spawn(program, [...args, `--dbname=${address}`], {
    stdio: ['pipe', 'pipe', 'pipe'],
    // Other users of the machine see the arguments of a process, but not its environment.
    env: { ...process.env, ...(password === '' ? {} : { PGPASSWORD: password }) },
  })
  let reason = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    reason = `${reason}${text}`.slice(0, mostReason)
  })
  child.stdin?.on('error', () => undefined)
  const done = ended(child, program, () => reason.trim())
  // It is awaited later.
  done.catch(() => undefined)
  return { process: child, done }
}

async function ended(child: ChildProcess, program: string, reason: () => string): Promise<void> {
  let code: unknown
  try {
    ;[code] = await once(child, 'close')
  } catch (error) {
    throw systemCodeOf(error) === 'ENOENT'
      ? new ProgramFailed(
          program,
          'it is not installed. Install the client programs of PostgreSQL, at least in the version of the database',
        )
      : error
  }
  if (code !== 0) throw new ProgramFailed(program, reason())
}

function withoutPassword(url: string): { password: string; address: string } {
  const address = new URL(url)
  const password = decodeURIComponent(address.password)
  address.password = ''
  return { password, address: address.href }
}
