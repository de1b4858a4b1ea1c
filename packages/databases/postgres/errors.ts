/** The meaning of errors of PostgreSQL and of its driver for a transaction. */
import pg from 'pg'
import { DatabaseUnavailable, StorageFull, UniqueViolation } from '@purlin/core/ports'

/** The connection is broken, and with it its transaction. */
export class ConnectionLost extends Error {
  override name = 'ConnectionLost'
  /** False if the database cannot have carried out the statement that failed. */
  readonly mayBeDone: boolean
  constructor(cause: unknown, mayBeDone: boolean) {
    super(reasonOf(cause), { cause })
    this.mayBeDone = mayBeDone
  }
}

/** The transaction conflicts with another one and can be run again. */
export class Conflict extends Error {
  override name = 'Conflict'
  /** True if it is about a row that both change, false if one reads what the other writes. */
  readonly isAboutRows: boolean
  /** True if another session has locked the whole table: the context of a wait for a row names its tuple. */
  readonly isAboutTable: boolean
  constructor(cause: unknown) {
    super(reasonOf(cause), { cause })
    // The conflicts of reads have a reason code there.
    const { code, where, detail } = cause instanceof pg.DatabaseError ? cause : {}
    this.isAboutTable = code === lockTimeout && !where?.includes('tuple')
    this.isAboutRows = !detail?.includes('Reason code')
  }
}

// SQLSTATE codes, from the appendix of PostgreSQL's manual.
const lockTimeout = '55P03'
const conflicts = new Set(['40001', '40P01', lockTimeout])
const uniqueViolation = '23505'
const diskFull = '53100'
const tooManyConnections = '53300'
const idleInTransaction = '25P03'
const noSuchStatement = '26000'
const inFailedTransaction = '25P02'
const refusals: Record<string, string> = {
  '25006': 'it is read-only',
  '57014': 'a statement took too long',
  '53200': 'it is out of memory',
}

/** The reason in one line, without the address's password. */
export function reasonOf(error: unknown): string {
  // A host with several addresses fails with one error for each.
  const all: unknown[] = error instanceof AggregateError ? error.errors : [error]
  return all.map((one) => (one instanceof Error ? one.message : String(one))).join('; ')
}

const codeOf = (error: unknown): string => (error instanceof pg.DatabaseError ? (error.code ?? '') : '')

/** True if the database accepts no more connections. */
export const isFull = (error: unknown): boolean => codeOf(error) === tooManyConnections

/** True if the volume of the database has no room. */
export const isVolumeFull = (error: unknown): boolean => codeOf(error) === diskFull

/** True if the pool gave no connection in time: all are in use. */
export const isPoolTimeout = (error: unknown): boolean =>
  error instanceof Error && error.message === 'timeout exceeded when trying to connect'

/** True if a statement was not run because an earlier one of its transaction had failed. */
export const isAfterFailure = (error: unknown): boolean => codeOf(error) === inFailedTransaction

/**
 * True if a prepared statement is no longer valid, because a newer server has changed its tables: it must be prepared
 * again.
 */
const isStale = (error: unknown): boolean =>
  error instanceof pg.DatabaseError &&
  (error.code === noSuchStatement || error.routine === 'RevalidateCachedQuery')

/** The meaning of a failed statement. */
export function meaningOf(error: unknown): Error {
  const code = codeOf(error)
  if (conflicts.has(code)) return new Conflict(error)
  if (code === uniqueViolation) return new UniqueViolation(String(error))
  if (isVolumeFull(error)) return new StorageFull(reasonOf(error), { cause: error })
  if (code === idleInTransaction || isStale(error)) return new ConnectionLost(error, false)
  const refusal = refusals[code]
  if (refusal !== undefined) return new DatabaseUnavailable(refusal, { cause: error })
  // An error that does not come from the database itself is a failure of the connection.
  const isLost = !(error instanceof pg.DatabaseError) || /^(08|57P|53300)/.test(code)
  return isLost ? new ConnectionLost(error, true) : error
}
