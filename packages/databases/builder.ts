/** The query builder on one connection. */
import {
  DefaultQueryExecutor,
  Kysely,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type QueryResult,
} from 'kysely'
import type { Tables, Tx } from '@purlin/core/ports'

const nothing = () => Promise.resolve()

/** How a connection begins and ends a transaction. */
export type Transactions = Pick<Driver, 'beginTransaction' | 'commitTransaction' | 'rollbackTransaction'>
/** For an engine that begins its transactions before the builder is used. */
const noTransactions: Transactions = {
  beginTransaction: nothing,
  commitTransaction: nothing,
  rollbackTransaction: nothing,
}

/**
 * Returns the connection of the transaction. Acquiring one per statement would take longer than SQLite needs to run
 * it.
 */
class Executor extends DefaultQueryExecutor {
  readonly #connection: DatabaseConnection
  constructor(connection: DatabaseConnection, { dialect, driver }: { dialect: Dialect; driver: Driver }) {
    super(dialect.createQueryCompiler(), dialect.createAdapter(), {
      provideConnection: async (consumer) => consumer(await driver.acquireConnection()),
    })
    this.#connection = connection
  }
  override executeQuery<R>(compiled: CompiledQuery): Promise<QueryResult<R>> {
    return this.#connection.executeQuery(compiled)
  }
}

/** The builder of a dialect whose statements all run on `connection`, in the transaction that it is in. */
export function builderOn(
  connection: DatabaseConnection,
  parts: Omit<Dialect, 'createDriver'>,
  transactions: Transactions = noTransactions,
): Tx {
  const driver: Driver = {
    init: nothing,
    acquireConnection: () => Promise.resolve(connection),
    ...transactions,
    releaseConnection: nothing,
    destroy: nothing,
  }
  const dialect: Dialect = { ...parts, createDriver: () => driver }
  const executor = new Executor(connection, { dialect, driver })
  return new Kysely<Tables>({ config: { dialect }, dialect, driver, executor })
}
