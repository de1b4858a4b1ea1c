/** Converts the records of requests into entries of the log, in the order in which they were written. */
import type { World } from '#/context.ts'
import { together } from '#/concurrency/together.ts'
import { insertRows } from '#/db/prepared.ts'
import type { AuditEntryTable, AuditKeyTable, AuditPendingTable } from '#/db/tables.ts'
import { readChain, writeChain } from '#/db/rows/audit-chain.ts'
import { hashOf } from './chain.ts'
import { countOf } from './pending-id.ts'

/** Numbers of entries in a millisecond. The number of an entry is its time times this and more. */
const perMs = 1024
const perTransaction = 500

/** The first number that an entry of a time, ms since 1970, can have. */
export const seqOf = (time: number): number => time * perMs
export const timeOf = (seq: number): number => Math.floor(seq / perMs)

/**
 * Adds the oldest pending records to the log, if they are older than `before`. Returns true if there may be more. The
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
      const { at, keys: keysOfOne, ...done } = one
      // A record that is older than the last entry gets the time of that entry: the past never changes.
      lastSeq = Math.max(seqOf(at), lastSeq + 1)
      const row = { seq: lastSeq, ...done }
      lastHash = hashOf(world, lastHash, row)
      entries.push({ ...row, hash: lastHash })
      for (const key of keysOfOne.split('\n')) keys.push({ key, seq: lastSeq })
    }
    await together([insertRows(tx, 'auditEntry', entries), insertRows(tx, 'auditKey', keys.toSorted(byKey))])
    const ids = pending.map(({ id }) => id)
    await tx.deleteFrom('auditPending').where('id', 'in', ids).execute()
    const length = chain.entries + entries.length
    await writeChain(tx, { lastSeq, lastHash, entries: length })
    return pending.length === perTransaction
  })
}

const inOrder = (a: AuditPendingTable, b: AuditPendingTable) => a.at - b.at || countOf(a) - countOf(b)

// Neighbours in the index are in the same page.
const byKey = (a: AuditKeyTable, b: AuditKeyTable) => (a.key < b.key ? -1 : a.key > b.key ? 1 : a.seq - b.seq)
