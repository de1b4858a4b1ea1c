/** The query builder on one connection. */
import {
  DefaultQueryExecutor,
  Kysely,
  type CompiledQuery,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type KyselyProps,
  type QueryResult,
} from 'kysely'
import { LRUCache } from 'lru-cache'
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

const mostCompiled = 1000

/** The compiled statements that the connections of an engine share. */
export function createCompiled(): Tx['compiled'] {
  const statements = new LRUCache<string, CompiledQuery>({ max: mostCompiled })
  return (key, make) => {
    const known = statements.get(key)
    if (known) return known
    const made = make()
    statements.set(key, made)
    return made
  }
}

class Builder extends Kysely<Tables> implements Tx {
  readonly compiled: Tx['compiled']
  constructor(props: KyselyProps, compiled: Tx['compiled']) {
    super(props)
    this.compiled = compiled
  }
}

/** An engine's dialect, and the statements that it has compiled. */
export interface BuilderParts {
  dialect: Omit<Dialect, 'createDriver'>
  compiled: Tx['compiled']
}

/** The builder of an engine whose statements all run on `connection`, in the transaction that it is in. */
export function builderOn(
  connection: DatabaseConnection,
  { dialect: parts, compiled }: BuilderParts,
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
  return new Builder({ config: { dialect }, dialect, driver, executor }, compiled)
}
