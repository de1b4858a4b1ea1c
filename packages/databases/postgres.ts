/** PostgreSQL as core's Engine: serializable transactions, run again after a conflict or a broken connection. */
import { sql } from 'kysely'
import pg from 'pg'
import {
  Contention,
  createKeyedLock,
  createLock,
  createPipeline,
  DatabaseUnavailable,
  DatabaseUnusable,
  OutcomeUnknown,
  StorageFull,
  type Engine,
  type TableName,
  type TransactionMode,
  type TransactionWork,
  type Tx,
} from '@purlin/core/ports'
import { createCompiled } from './builder.ts'
import { conflictKeys } from './postgres/conflict-keys.ts'
import { Connection, type ConnectionSurroundings, type Work } from './postgres/connection.ts'
import { Conflict, isFull, isPoolTimeout, reasonOf } from './postgres/errors.ts'
import { waitForLock } from './postgres/locks.ts'
import { Monitor, type MonitorEvent } from './postgres/monitor.ts'
import { checkPooling } from './postgres/pooling.ts'
import { Reserve, type DatabaseReserve, type ReserveEvent } from './postgres/reserve.ts'
import { connectionTo, sessionPreparedFor, settings, type PrepareSession } from './postgres/settings.ts'
import { createStatementNames } from './postgres/statement-names.ts'
import { createTableFinder, createWritten, type Written } from './query-tables.ts'
import { createWatch } from './postgres/watch.ts'

export type { DatabaseReserve }
export type DatabaseEvent = MonitorEvent | ReserveEvent

// This driver reads integers of 64 bits as text.
pg.types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text)
  return Number.isSafeInteger(value) ? value : BigInt(text)
})

/** An engine whose database other servers may use as well. */
export interface PostgresEngine extends Engine {
  readonly messages: NonNullable<Engine['messages']>
  readonly independentTransaction: Engine['transaction']
  /** The time of the database, ms since 1970: one clock for all of its servers. */
  now(): number
  /**
   * Says which database this is: the identifier of its cluster, which a restored dump does not share, and its name. A
   * physical copy has the same.
   */
  place(): Promise<string>
  /**
   * The number of connections that a server uses at most, and the number that the database accepts. Throws
   * DatabaseUnusable if a pooler shares sessions of the database among connections.
   */
  connections(): Promise<{ needed: number; accepted: number }>
  /** Holds room on the volume of the database from now on. */
  holdReserve(): DatabaseReserve
  /** Statistics of all transactions so far. */
  readonly work: Readonly<Work>
}

/** How one attempt of a transaction ended; anything else is thrown. */
type Attempt<T> =
  | { at: 'done'; value: T }
  | { at: 'conflict'; keys: string[]; isAboutTable: boolean }
  | { at: 'broken'; reason: string }

/** Opens a pool on a PostgreSQL (or compatible) database. It connects on first use. */
export function openPostgres(url: string, onEvent: (event: DatabaseEvent) => void): PostgresEngine {
  const parameters = connectionTo(url)
  const prepare = sessionPreparedFor(url)
  const watch = createWatch()
  const monitor = new Monitor(parameters, { prepare, onEvent, onAway: () => watch.endAll() })
  const work: Work = { statements: 0, roundTrips: 0, conflicts: 0 }
  const tablesOf = createTableFinder()
  const around: ConnectionSurroundings = {
    watch,
    work,
    nameOf: createStatementNames(),
    tablesOf,
    compiled: createCompiled(),
  }
  const { note, onWritten } = createWritten()
  const messages: PostgresEngine['messages'] = {
    send: (message) => monitor.send(message),
    listen: (on) => monitor.listen(on),
  }
  let reserve: DatabaseReserve | undefined
  const onFull = async () => reserve?.giveUp()
  const open = (most: number) => {
    const pool = createPool(parameters, { most, prepare, onEvent })
    return { ...pool, transaction: createTransactions(pool, { monitor, around, note, onFull }) }
  }
  const main = open(settings.connections)
  // Their work must not wait for a connection or for a turn that those have who wait for them.
  const independent = open(settings.independentConnections)

  return {
    name: 'postgres',
    readsAtOnce: settings.connections,
    transaction: main.transaction,
    independentTransaction: independent.transaction,
    onWritten,
    work,
    withMigrationConnection: (run) => onMigrationConnection({ parameters, prepare }, run),
    messages,
    now: () => monitor.now(),
    mayDrive: () => monitor.mayDrive(),
    place: () => main.transaction('read', placeOf),
    connections: async () => {
      await checkPooling(parameters)
      const accepted = await main.transaction('read', acceptedBy)
      return { needed: settings.connections + settings.independentConnections + atStart, accepted }
    },
    holdReserve: () => (reserve ??= new Reserve(parameters, { prepare, onEvent, messages })),
    close: async () => {
      watch.close()
      await reserve?.close()
      await Promise.all([main.clients.end(), independent.clients.end()])
      await monitor.close()
    },
  }
}

/** The connections of the monitor and of the reserve, and one for migrations at the start. */
const atStart = 3

async function acceptedBy(tx: Tx): Promise<number> {
  const found = sql<{ accepted: number }>`select current_setting('max_connections')::int as accepted`
  const { rows } = await found.execute(tx)
  return rows[0]?.accepted ?? 0
}

async function placeOf(tx: Tx): Promise<string> {
  const found = sql<{ place: string }>`
    select system_identifier::text || '/' || current_database() as place from pg_control_system()`
  const { rows } = await found.execute(tx)
  return rows[0]?.place ?? ''
}

interface TransactionSurroundings {
  monitor: Monitor
  around: ConnectionSurroundings
  note: Written['note']
  /** Called when a write finds the volume of the database full, before it fails. */
  onFull: () => Promise<void>
}

/** Transactions on the connections of a pool. */
function createTransactions(
  pool: ReturnType<typeof createPool>,
  { monitor, around, note, onFull }: TransactionSurroundings,
): Engine['transaction'] {
  const connections = new WeakMap<pg.PoolClient, Connection>()
  pool.clients.on('connect', (client) => connections.set(client, new Connection(client, around)))
  const locks = createKeyedLock()
  // A write that has repeated conflicts holds it exclusively, so that it succeeds in the end.
  const turn = createLock()

  /** The next attempt of a write that met a conflict waits for those of this server that met the same one. */
  function holding<T>(keys: readonly string[], work: () => Promise<T>): Promise<T> {
    const [key, ...rest] = keys
    return key === undefined ? work() : locks.exclusive(key, () => holding(rest, work))
  }

  async function attempt<T>(
    mode: TransactionMode,
    run: TransactionWork<T>,
    reads?: Set<TableName>,
  ): Promise<Attempt<T>> {
    const client = await pool.connect().catch((error: unknown) => {
      monitor.check()
      if (error instanceof DatabaseUnavailable) throw error
      return reasonOf(error)
    })
    if (typeof client === 'string') return { at: 'broken', reason: client }
    const connection = connections.get(client) ?? new Connection(client, around)
    try {
      return await runOnce(connection, { mode, run, reads, note })
    } catch (error) {
      if (error instanceof StorageFull && mode !== 'read') await onFull()
      throw error
    } finally {
      client.release(connection.lost)
    }
  }

  return async (mode, run, reads) => {
    let keys: readonly string[] = []
    let breaks = 0
    let isTableLocked = false
    for (let tries = 1; tries <= settings.conflicts; tries++) {
      const outage = monitor.ready()
      if (outage) await outage
      const locked = tries > settings.keyedConflicts ? turn.exclusive : turn.shared
      const once = () => attempt(mode, run, reads)
      const outcome = await (mode === 'read' ? once() : locked(() => holding(keys, once)))
      if (outcome.at === 'done') return outcome.value
      if (outcome.at === 'broken' && ++breaks >= settings.breaks)
        throw new DatabaseUnavailable(outcome.reason)
      if (outcome.at === 'conflict') around.work.conflicts++
      isTableLocked = outcome.at === 'conflict' && outcome.isAboutTable
      if (outcome.at === 'conflict' && mode === 'write') keys = outcome.keys
      await pause(outcome.at === 'broken' ? 20 * 2 ** breaks : 2 ** tries)
    }
    if (isTableLocked) throw new DatabaseUnusable('another session has locked a table of the database')
    throw new Contention('gave up after many conflicts')
  }
}

/** Reads see one snapshot. Reads and appends conflict with no other transaction. */
const beginOf: Record<TransactionMode, string> = {
  read: 'begin isolation level repeatable read read only',
  write: 'begin isolation level serializable read write',
  append: 'begin isolation level read committed read write',
}

interface Attempted<T> {
  mode: TransactionMode
  run: TransactionWork<T>
  reads: Set<TableName> | undefined
  note: Written['note']
}

async function runOnce<T>(
  connection: Connection,
  { mode, run, reads, note }: Attempted<T>,
): Promise<Attempt<T>> {
  const pipeline = createPipeline()
  let isCommit = false
  try {
    connection.begin(beginOf[mode], reads)
    const value = await run(connection.tx, pipeline.add)
    isCommit = true
    await connection.commit(mode === 'read', pipeline.last())
    note(connection.written)
    return { at: 'done', value }
  } catch (error) {
    const { lost } = connection
    if (!lost) await connection.rollback()
    else if (isCommit && lost.mayBeDone && mode !== 'read') {
      note(connection.written)
      throw new OutcomeUnknown(lost.message, { cause: lost })
    } else return { at: 'broken', reason: lost.message }
    if (error instanceof Conflict)
      return {
        at: 'conflict',
        keys: conflictKeys(connection, error.isAboutRows),
        isAboutTable: error.isAboutTable,
      }
    throw error
  }
}

/** A pool that waits for one of its connections if the database accepts no more. */
function createPool(
  parameters: pg.ClientConfig,
  {
    most,
    prepare,
    onEvent,
  }: { most: number; prepare: PrepareSession; onEvent: (event: DatabaseEvent) => void },
) {
  // oxlint-disable-next-line typescript/no-misused-promises -- the pool waits for the promise; its types omit that
  const clients = new pg.Pool({ ...parameters, max: most, pipeline: true, onConnect: prepare })
  // A connection that breaks while it is idle leaves the pool; the monitor notices if there is more to it.
  clients.on('error', () => undefined)
  let lastFull = Number.NEGATIVE_INFINITY

  function refuse(reason: string, cause: unknown): DatabaseUnavailable {
    // Reported once for each period.
    const now = performance.now()
    if (now - lastFull > settings.fullMs) onEvent({ at: 'full', reason })
    lastFull = now
    return new DatabaseUnavailable(reason, { cause })
  }

  async function connect(): Promise<pg.PoolClient> {
    const end = performance.now() + settings.connectMs
    for (;;) {
      try {
        return await clients.connect()
      } catch (error) {
        if (isPoolTimeout(error)) throw refuse('all of its connections are in use', error)
        if (!isFull(error)) throw error
        if (performance.now() > end) throw refuse(reasonOf(error), error)
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
    }
  }
  return { clients, connect }
}

const unwatched = { begin: () => undefined, end: () => undefined }

/** A separate connection, because migrations may take long and must not run concurrently. */
async function onMigrationConnection<T>(
  { parameters, prepare }: { parameters: pg.ClientConfig; prepare: PrepareSession },
  run: (db: Tx) => Promise<T>,
): Promise<T> {
  const idle = settings.idleInMigrationMs
  const unlimited = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: idle }
  const client = new pg.Client(parameters)
  const statement = (text: string) => async () => void (await connection.run({ text }))
  const around: ConnectionSurroundings = {
    watch: unwatched,
    work: { statements: 0, roundTrips: 0, conflicts: 0 },
    nameOf: () => undefined,
    tablesOf: () => ({ read: [], written: [] }),
    compiled: createCompiled(),
  }
  const connection = new Connection(client, around, {
    beginTransaction: statement('begin'),
    commitTransaction: statement('commit'),
    rollbackTransaction: statement('rollback'),
  })
  await client.connect()
  try {
    await prepare(client, unlimited)
    await connection.run({ text: `set idle_session_timeout = ${idle}` })
    await waitForLock(client, 'migration')
    return await run(connection.tx)
  } finally {
    await client.end()
  }
}

// A random wait, so that the same transactions do not conflict again.
const pause = (mostMs: number) =>
  new Promise((resolve) => setTimeout(resolve, Math.random() * Math.min(200, mostMs)))
