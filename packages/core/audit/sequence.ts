/** Turns what requests have recorded into entries of the log, in the order in which they were done. */
import { limits } from '@purlin/contract/rules/limits'
import type { World } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import type { AuditEntryTable, AuditKeyTable, AuditPendingTable } from '#/db/tables.ts'
import { readChain, writeChain } from '#/db/audit-chain.ts'
import { hashOf, type Unchained } from './chain.ts'
import type { Recorded } from './record.ts'

/** Numbers of entries in a millisecond. The number of an entry is its time times this and more. */
const perMs = 1024
const perTransaction = 100
// Few lengths of statements, each of which is prepared once.
const entriesPerInsert = 20
const keysPerInsert = 50

/** The first number that an entry of a time, ms since 1970, can have. */
export const seqOf = (time: number): number => time * perMs
export const timeOf = (seq: number): number => Math.floor(seq / perMs)

/** What an entry keeps besides the columns that it is found by. */
export type Details = Pick<Recorded, 'uri' | 'projectId' | 'objects' | 'omitted' | 'code' | 'message'> & {
  actorName: string | null
  sessionId: string | null
  siloName: string | null
}

/**
 * Adds the oldest of what is pending to the log, if it is older than `before`. Returns true if there may be more. The
 * chain is locked first, so that no two servers add at the same time.
 */
export function sequence(world: World, before = Infinity): Promise<boolean> {
  return world.engine.transaction('append', async (tx) => {
    const chain = await readChain(tx, world.engine.name === 'postgres')
    const pending = await tx
      .selectFrom('auditPending')
      .selectAll()
      .$if(before < Infinity, (rows) => rows.where('at', '<', before))
      .limit(perTransaction)
      .execute()
    if (pending.length === 0) return false
    const entries: AuditEntryTable[] = []
    const keys: AuditKeyTable[] = []
    let { lastSeq, lastHash } = chain
    for (const one of pending.toSorted(inOrder)) {
      const recorded = JSON.parse(one.recordJson) as Recorded
      // What was done later than it says has the time of what is in the log already: the past never changes.
      lastSeq = Math.max(seqOf(one.at), lastSeq + 1)
      const row = rowOf(recorded, { seq: lastSeq, id: one.id })
      lastHash = hashOf(world, lastHash, row)
      entries.push({ ...row, hash: lastHash })
      for (const key of keysOf(row, recorded)) keys.push({ key, seq: lastSeq })
    }
    for (const some of batches(entries, entriesPerInsert))
      await tx.insertInto('auditEntry').values(some).execute()
    for (const some of batches(keys, keysPerInsert)) await tx.insertInto('auditKey').values(some).execute()
    const ids = pending.map(({ id }) => id)
    await tx.deleteFrom('auditPending').where('id', 'in', ids).execute()
    const length = chain.entries + entries.length
    await writeChain(tx, { lastSeq, lastHash, entries: length })
    return pending.length === perTransaction
  })
}

// What was done in the same millisecond stays in the order in which it was stored.
const inOrder = (a: AuditPendingTable, b: AuditPendingTable) => a.at - b.at

function rowOf(recorded: Recorded, { seq, id }: { seq: number; id: string }): Unchained {
  const { requestId, started, operation, actor, silo, otherSiloId, sourceIp, userAgent, status } = recorded
  const { uri, projectId, objects, omitted, code, message } = recorded
  const details: Details = {
    uri,
    projectId,
    objects,
    omitted,
    code,
    message,
    actorName: actor?.name ?? null,
    sessionId: actor?.sessionId ?? null,
    siloName: silo?.name ?? null,
  }
  return {
    seq,
    id,
    requestId,
    timeStarted: started,
    operation,
    actorId: actor?.id ?? null,
    siloId: silo?.id ?? null,
    otherSiloId,
    sourceIp,
    userAgent,
    status,
    detailsJson: JSON.stringify(details),
  }
}

/** The key of a name: none is an id. */
export const nameKey = (name: string): string => `name ${name.slice(0, limits.audit.filter)}`

/** The keys that an entry is found by. */
export function keysOf(
  { siloId, otherSiloId }: Pick<Unchained, 'siloId' | 'otherSiloId'>,
  { projectId, objects }: Pick<Details, 'projectId' | 'objects'>,
): ReadonlySet<string> {
  const ids = [siloId, otherSiloId, projectId, ...objects.map(({ id }) => id)]
  const names = objects.flatMap(({ before, after }) => [before, after]).filter((name) => name !== null)
  return new Set([...ids.filter((id) => id != null), ...names.map(nameKey)])
}
