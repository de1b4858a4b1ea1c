/** The last statement of a transaction: its commit is sent together with it, not after it, and fails if it fails. */
import type { Tx } from './tables.ts'

const statements = new WeakMap<Tx, Promise<unknown>>()

/** Says that a statement, which was just sent, is the last one of the transaction that it is in. */
export function pipelineWithCommit(tx: Tx, statement: Promise<unknown>): void {
  // Its failure is that of the commit.
  statement.catch(() => undefined)
  statements.set(tx, statement)
}

/** For engines: that statement of a transaction that ends, if there is one. */
export function takePipelined(tx: Tx): Promise<unknown> | undefined {
  const statement = statements.get(tx)
  statements.delete(tx)
  return statement
}
