/** The last statement of a transaction. Its commit is sent with it, not after it, and fails if the statement fails. */
import type { Tx } from './tables.ts'

const statements = new WeakMap<Tx, Promise<unknown>>()

/** Marks a statement that was just sent as the last one of its transaction. */
export function pipelineWithCommit(tx: Tx, statement: Promise<unknown>): void {
  // The commit reports its failure.
  statement.catch(() => undefined)
  statements.set(tx, statement)
}

/** For engines: the marked statement of a transaction that ends, if there is one. */
export function takePipelined(tx: Tx): Promise<unknown> | undefined {
  const statement = statements.get(tx)
  statements.delete(tx)
  return statement
}
