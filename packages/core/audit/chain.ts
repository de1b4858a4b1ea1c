/**
 * The chain of hashes: each entry has the SHA-256 of the hash before it and of all its own columns, so that none can be
 * changed, put in or taken out without a break. `auditChain` has its two ends.
 */
import type { World } from '#/context.ts'
import type { AuditEntryTable } from '#/db/tables.ts'
import { bytesOf } from '#/bytes.ts'

export type Unchained = Omit<AuditEntryTable, 'hash'>

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
