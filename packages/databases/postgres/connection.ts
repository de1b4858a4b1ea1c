/** One connection behind the query builder. */
import {
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type CompiledQuery,
  type DatabaseConnection,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { ClientBase, QueryResult as Rows } from 'pg'
import type { Tables, Tx } from '@purlin/core/ports'
import { ConnectionLost, meaningOf } from './errors.ts'

/** Called around every statement. */
export interface StatementWatch {
  begin(client: ClientBase): void
  end(client: ClientBase): void
}

/** A connection, what was run on it in this transaction, and whether it broke. */
export class Connection implements DatabaseConnection {
  readonly client: ClientBase
  readonly tx: Tx
  statements: CompiledQuery[] = []
  lost: ConnectionLost | undefined
  readonly #watch: StatementWatch

  constructor(client: ClientBase, watch: StatementWatch, transactions = noTransactions) {
    this.client = client
    this.#watch = watch
    this.tx = builderOf(this, transactions)
    // Without a listener a connection that breaks ends the process.
    client.on('error', (error) => (this.lost ??= new ConnectionLost(error, false)))
    client.on('end', () => (this.lost ??= new ConnectionLost(new Error('the connection ended'), false)))
  }

  /** Runs a statement. Throws what its failure means for the transaction. */
  async run(sql: string, parameters: readonly unknown[] = []): Promise<Rows> {
    if (this.lost) throw this.lost
    this.#watch.begin(this.client)
    try {
      return await this.client.query(sql, parameters as unknown[])
    } catch (error) {
      const meaning = meaningOf(error)
      if (meaning instanceof ConnectionLost) this.lost = meaning
      throw meaning
    } finally {
      this.#watch.end(this.client)
    }
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    this.statements.push(compiled)
    const result = await this.run(compiled.sql, compiled.parameters)
    return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
  }
  // oxlint-disable-next-line require-yield -- the port demands a generator; nothing here streams
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error('streaming is not offered'))
  }
}

const nothing = () => Promise.resolve()

type Transactions = Pick<Driver, 'beginTransaction' | 'commitTransaction' | 'rollbackTransaction'>
// Transactions are begun by the engine, before the builder is used.
const noTransactions: Transactions = {
  beginTransaction: nothing,
  commitTransaction: nothing,
  rollbackTransaction: nothing,
}

function builderOf(connection: Connection, transactions: Transactions): Tx {
  return new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
      createDriver: () => ({
        init: nothing,
        acquireConnection: () => Promise.resolve(connection),
        ...transactions,
        releaseConnection: nothing,
        destroy: nothing,
      }),
    },
  })
}
