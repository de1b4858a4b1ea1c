/** The two ends of the chain of hashes of the audit log. */
import type { AuditChainTable, Tx } from '../tables.ts'

const name = 'log'
const origin = '0'.repeat(64)

/** Makes the chain before the first entry of all. */
export async function beginChain(tx: Tx): Promise<void> {
  const ends = { firstSeq: 0, firstHash: origin, lastSeq: 0, lastHash: origin }
  await tx
    .insertInto('auditChain')
    .values({ name, ...ends, entries: 0 })
    .execute()
}

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
