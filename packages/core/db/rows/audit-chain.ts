/** The two ends of the chain of hashes of the audit log. */
import type { AuditChainTable, Tx } from '../tables.ts'

const name = 'log'

/** The ends of the chain. Where several servers may write, they are locked until the transaction ends. */
export const readChain = (tx: Tx, mayLock: boolean): Promise<AuditChainTable> =>
  tx
    .selectFrom('auditChain')
    .selectAll()
    .where('name', '=', name)
    .$if(mayLock, (rows) => rows.forUpdate())
    .executeTakeFirstOrThrow()

export async function writeChain(tx: Tx, ends: Partial<AuditChainTable>): Promise<void> {
  await tx.updateTable('auditChain').set(ends).where('name', '=', name).execute()
}
