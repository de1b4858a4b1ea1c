/** How long what concerns the database may take, and how many connections a server uses. */
import { randomUUID } from 'node:crypto'
import { hostname } from 'node:os'
import type { ClientBase, ClientConfig } from 'pg'

export const settings = {
  /** Connections that transactions share. The monitor has a further one. */
  connections: 10,
  /** Connections of transactions that others wait for. */
  independentConnections: 1,
  /** Wait for a new connection or for one that comes free. */
  connectMs: 3_000,
  /** The server of the database ends a statement that runs longer than this. */
  statementMs: 15_000,
  /** A statement without any answer for this long has lost its database. */
  silentStatementMs: 20_000,
  /**
   * Wait for a lock. A row is waited for twice, for one's turn and for its transaction. Both together are shorter than
   * the next one: when the transaction of a frozen server is ended, another one of the same server must no longer be
   * waiting for its lock.
   */
  lockMs: 600,
  /** The database ends a transaction that is idle this long. */
  idleInTransactionMs: 1_500,
  /** The same during a migration, whose statements may take long. */
  idleInMigrationMs: 60_000,
  /**
   * The monitor asks the database for its time this often; an answer may take `answerMs`. So silence is noticed within
   * the sum of both, and everything that may have been missed is looked at then.
   */
  heartbeatMs: 500,
  answerMs: 1_500,
  /** Longest pause between two attempts to reach a database that is away. */
  longestPauseMs: 400,
  /** Requests wait for the end of an outage until it has lasted this long; later they are refused immediately. */
  patienceMs: 1_000,
  /** After the operator was warned of too few connections, this long without a further case ends the period. */
  fullMs: 10_000,
  /** Attempts of a transaction that conflicts with others. After the second number, it runs alone in this server. */
  conflicts: 20,
  keyedConflicts: 2,
  /** Attempts of a transaction whose connection breaks before its commit. */
  breaks: 5,
  /** Statements that are prepared on a connection. */
  preparedStatements: 500,
} as const

/**
 * Parameters of every session. They are set in the session, because a pooler between server and database ignores or
 * refuses those of a connection.
 */
const sessionParameters = {
  statement_timeout: settings.statementMs,
  lock_timeout: settings.lockMs,
  idle_in_transaction_session_timeout: settings.idleInTransactionMs,
  // These find peers that are gone without a word, on both sides of a connection.
  tcp_keepalives_idle: 5,
  tcp_keepalives_interval: 2,
  tcp_keepalives_count: 3,
  tcp_user_timeout: 10_000,
  // Serializable transactions conflict on what they read: a scan reads the whole table and conflicts with all its
  // writers. So the cost of scans is raised. Compiling plans does not pay off.
  enable_seqscan: 'off',
  jit: 'off',
}
type SessionParameters = Record<keyof typeof sessionParameters, string | number>

/** Sets the parameters of a new session. Throws if the database does not accept one. */
export type PrepareSession = (client: ClientBase, other?: Partial<SessionParameters>) => Promise<void>

/** Parameters that the address names keep the values that it gives. */
export function sessionPreparedFor(url: string): PrepareSession {
  const own = new Set(decodeURIComponent(new URL(url).search).match(/\w+/g))
  return async (client, other = {}) => {
    const set = Object.entries({ ...sessionParameters, ...other }).filter(([name]) => !own.has(name))
    const calls = set.map((_, i) => `set_config($${2 * i + 1}, $${2 * i + 2}, false)`)
    if (calls.length > 0) await client.query(`select ${calls.join(', ')}`, set.flat().map(String))
  }
}

/** Parameters of every connection of one engine. */
export const connectionTo = (url: string): ClientConfig => ({
  connectionString: url,
  // Names this server among the sessions of the database; longer names are cut there.
  application_name: `purlin ${randomUUID().slice(0, 8)} ${hostname()}`.slice(0, 63),
  connectionTimeoutMillis: settings.connectMs,
  keepAlive: true,
  keepAliveInitialDelayMillis: 5_000,
})
