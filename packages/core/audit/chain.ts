/**
 * The chain of hashes: each entry has the SHA-256 of the hash before it and of all its own columns, so that none can be
 * changed, put in or taken out without a break. `auditChain` has its two ends.
 */
import type { World } from '#/context.ts'
import type { AuditChainTable, AuditEntryTable, Tx } from '#/db/tables.ts'
import { bytesOf } from '#/bytes.ts'

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

export type Unchained = Omit<AuditEntryTable, 'hash'>

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

/** The hash of an entry that follows another one, hex. */
export function hashOf({ sha256 }: Pick<World, 'sha256'>, before: string, row: Unchained): string {
  const columns = [
    row.seq,
    row.id,
    row.requestId,
    row.timeStarted,
    row.operation,
    row.actorId,
    row.siloId,
    row.otherSiloId,
    row.sourceIp,
    row.userAgent,
    row.status,
    row.detailsJson,
  ]
  const hash = sha256()
  hash.update(bytesOf(JSON.stringify([before, ...columns])))
  return hash.hex()
}
