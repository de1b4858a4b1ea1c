/** PostgreSQL as core's Engine: serializable transactions, run again after a conflict. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type QueryResult,
} from 'kysely'
import pg from 'pg'
import { Contention, UniqueViolation, type Engine } from '@purlin/core/db/engine'
import type { Tables, Tx } from '@purlin/core/db/tables'

// Whole numbers come as text from this driver; ours all fit a double exactly.
pg.types.setTypeParser(pg.types.builtins.INT8, Number)

const retryable = new Set(['40001', '40P01'])
const uniqueViolation = '23505'
const attempts = 20
const codeOf = (error: unknown): string => (error as { code?: string }).code ?? ''

class Connection implements DatabaseConnection {
  readonly client: pg.PoolClient
  constructor(client: pg.PoolClient) {
    this.client = client
  }
  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    try {
      const result = await this.client.query(compiled.sql, [...compiled.parameters])
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    } catch (error) {
      throw codeOf(error) === uniqueViolation ? new UniqueViolation(String(error)) : error
    }
  }
  // oxlint-disable-next-line require-yield -- the port demands a generator; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error('streaming is not offered'))
  }
}

const nothing = () => Promise.resolve()

function builderOf(client: pg.PoolClient): Tx {
  const connection = new Connection(client)
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: () => Promise.resolve(connection),
        beginTransaction: nothing,
        commitTransaction: nothing,
        rollbackTransaction: nothing,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  })
}

/** Opens a pool on a PostgreSQL (or compatible) database. `onError` hears of broken idle connections. */
export function openPostgres(url: string, onError: (error: Error) => void): Engine {
  const pool = new pg.Pool({ connectionString: url, max: 10 })
  pool.on('error', onError)
  const builders = new WeakMap<pg.PoolClient, Tx>()

  async function once<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    const client = await pool.connect()
    const tx = builders.get(client) ?? builderOf(client)
    builders.set(client, tx)
    let broken: Error | undefined
    try {
      await client.query(`begin isolation level serializable ${mode === 'read' ? 'read only' : 'read write'}`)
      const value = await work(tx)
      await client.query('commit')
      return value
    } catch (error) {
      await client.query('rollback').catch((failure: Error) => (broken = failure))
      throw error
    } finally {
      client.release(broken)
    }
  }

  const turns = createTurns()

  async function transaction<T>(mode: 'read' | 'write', work: (tx: Tx) => Promise<T>): Promise<T> {
    for (let attempt = 1; attempt <= attempts; attempt++) {
      // Whoever has met a competitor tries again alone, as far as this server goes.
      const leave = mode === 'read' ? nobody : await (attempt === 1 ? turns.together() : turns.alone())
      try {
        return await once(mode, work)
      } catch (error) {
        if (!retryable.has(codeOf(error))) throw error
      } finally {
        leave()
      }
      await pause(attempt)
    }
    throw new Contention(`gave up after ${attempts} attempts`)
  }
  return { name: 'postgres', transaction, close: () => pool.end() }
}

const nobody = () => undefined

/** Lets many in together or one alone, in the order of their coming. Each gets the function to leave with. */
function createTurns() {
  let inside: Promise<unknown> = Promise.resolve()
  let alone: Promise<unknown> = Promise.resolve()
  return {
    together: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      inside = Promise.all([inside, promise])
      await alone
      return resolve
    },
    alone: async () => {
      const { promise, resolve } = Promise.withResolvers<void>()
      const before = Promise.all([inside, alone])
      alone = before.then(() => promise)
      inside = alone
      await before
      return resolve
    },
  }
}

// Competitors that met once should not meet again: a random wait that grows.
const pause = (attempt: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(100, 2 ** attempt)))
