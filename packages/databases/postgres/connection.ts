/** One connection behind the query builder. */
import {
  PostgresAdapter,
  PostgresIntrospector,
  type CompiledQuery,
  type DatabaseConnection,
  type Kysely,
  type QueryResult,
} from 'kysely'
import type { Client, ClientBase, QueryConfig, QueryResult as Rows } from 'pg'
import type { TableName, Tx } from '@purlin/core/ports'
import { builderOn, type Transactions } from '../builder.ts'
import type { QueryTables } from '../query-tables.ts'
import { ConnectionLost, isAfterFailure, meaningOf } from './errors.ts'
import { QueryCompiler } from './query-compiler.ts'

/** Called when a statement is under way, and when none is any more. */
export interface StatementWatch {
  begin(client: ClientBase): void
  end(client: ClientBase): void
}

/** Statistics of an engine since it was opened. */
export interface Work {
  /** Statements sent, those that begin and end transactions included. */
  statements: number
  /** How often something was sent while no answer was awaited on that connection. */
  roundTrips: number
  /** Transactions that the database has aborted because of others. */
  conflicts: number
}

/** The shared state of the connections of an engine. */
export interface ConnectionSurroundings {
  watch: StatementWatch
  work: Work
  /** The name under which a statement is prepared; undefined for one that is not. */
  nameOf: (compiled: CompiledQuery) => string | undefined
  tablesOf: (compiled: CompiledQuery) => QueryTables
  compiled: Tx['compiled']
}

/** A connection, the statements of its present transaction, and whether it broke. */
export class Connection implements DatabaseConnection {
  readonly client: ClientBase
  readonly tx: Tx
  statements: CompiledQuery[] = []
  /** The tables that the transaction has written. */
  written = new Set<TableName>()
  /** Collects those that it reads. */
  #reads: Set<TableName> | undefined
  lost: ConnectionLost | undefined
  readonly #around: ConnectionSurroundings
  #unanswered = 0
  #isCorked = false
  /** Sent with the first statement of the transaction. */
  #begin: string | undefined
  /** Settles when the transaction has begun; undefined outside of one. */
  #begun: Promise<unknown> | undefined
  #hasBegun = false
  /** The first statement of the transaction that failed. */
  failed: CompiledQuery | undefined
  #failure: unknown

  constructor(client: ClientBase, around: ConnectionSurroundings, transactions?: Transactions) {
    this.client = client
    this.#around = around
    this.tx = builderOn(this, { dialect, compiled: around.compiled }, transactions)
    // Without a listener a connection that breaks ends the process.
    client.on('error', (error) => (this.lost ??= new ConnectionLost(error, false)))
    client.on('end', () => (this.lost ??= new ConnectionLost(new Error('the connection ended'), false)))
  }

  /** Begins a transaction together with its first statement. */
  begin(sql: string, reads?: Set<TableName>): void {
    this.statements = []
    this.written = new Set()
    this.#reads = reads
    this.#begin = sql
    this.#begun = undefined
    this.#hasBegun = false
    this.failed = undefined
    this.#failure = undefined
  }

  /**
   * Commits the transaction, unless it was empty. Does not wait for the end of a read-only transaction. Throws the
   * error of `last`, its last statement: the database has then rolled back instead.
   */
  async commit(isRead: boolean, last?: Promise<unknown>): Promise<void> {
    // It has not been sent: the transaction must not be committed without it.
    if (last && (!this.#hasBegun || this.#unanswered === 0)) await last
    if (this.failed) throw new Error('a transaction continued after one of its statements had failed')
    if (!this.#begun) return
    const done = this.run({ text: 'commit' })
    if (isRead) return void done.catch(() => undefined)
    const [{ command }] = await Promise.all([done, last])
    if (command !== 'COMMIT') throw new Error('a transaction was not committed')
  }

  async rollback(): Promise<void> {
    if (this.#begun && !this.lost) await this.run({ text: 'rollback' }).catch(() => undefined)
  }

  /** Runs a statement. Throws what its failure means for the transaction. */
  async run(query: QueryConfig): Promise<Rows> {
    if (this.lost) throw this.lost
    this.#sent()
    this.#writeTogether()
    try {
      return await this.client.query(query)
    } catch (error) {
      const meaning = meaningOf(error)
      if (meaning instanceof ConnectionLost) this.lost = meaning
      throw meaning
    } finally {
      this.#answered()
    }
  }

  /**
   * Everything that is sent in one turn of the event loop is one write to the socket, because waking the database
   * takes longer than many statements. So the end of a transaction is sent together with the beginning of the next
   * one on the connection.
   */
  #writeTogether(): void {
    if (this.#isCorked) return
    // Every client has it; the types say so of one kind only.
    const { stream } = (this.client as Client).connection
    this.#isCorked = true
    stream.cork()
    setImmediate(() => {
      this.#isCorked = false
      stream.uncork()
    })
  }

  #sent(): void {
    const { work, watch } = this.#around
    work.statements++
    if (this.#unanswered++ > 0) return
    work.roundTrips++
    watch.begin(this.client)
  }

  #answered(): void {
    const { watch } = this.#around
    // The database has just answered, so the time-out of the pending statements starts again.
    if (--this.#unanswered > 0) watch.begin(this.client)
    else watch.end(this.client)
  }

  async executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    if (this.#begin !== undefined) {
      this.#begun = this.run({ text: this.#begin }).then(() => (this.#hasBegun = true))
      this.#begun.catch(() => undefined)
      this.#begin = undefined
    }
    // Writes must not run outside of a transaction if its BEGIN fails.
    if (compiled.query.kind !== 'SelectQueryNode' && !this.#hasBegun) await this.#begun
    this.#noteTables(compiled)
    this.statements.push(compiled)
    const name = this.#around.nameOf(compiled)
    const text = { text: compiled.sql, values: [...compiled.parameters] }
    try {
      const sent = this.run(name === undefined ? text : { name, ...text })
      const [result] = await Promise.all([sent, this.#begun])
      return { rows: result.rows as R[], numAffectedRows: BigInt(result.rowCount ?? 0) }
    } catch (error) {
      if (this.failed && isAfterFailure(error)) {
        // Sent together with the one that failed, whose failure is to be dealt with first.
        await new Promise(setImmediate)
        throw this.#failure
      }
      this.failed ??= compiled
      this.#failure ??= error
      throw error
    }
  }
  #noteTables(compiled: CompiledQuery): void {
    if (compiled.query.kind === 'SelectQueryNode' && !this.#reads) return
    const { read, written } = this.#around.tablesOf(compiled)
    for (const table of written) this.written.add(table)
    if (this.#reads) for (const table of read) this.#reads.add(table)
  }
  // oxlint-disable-next-line require-yield -- the port requires a generator; this engine does not stream
  async *streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    await Promise.reject(new Error('streaming is not offered'))
  }
}

const dialect = {
  createAdapter: () => new PostgresAdapter(),
  createIntrospector: (db: Kysely<unknown>) => new PostgresIntrospector(db),
  createQueryCompiler: () => new QueryCompiler(),
}
