/** When something last changed, as far as the audit log still knows. */
import { together } from '#/concurrency/together.ts'
import { timeOf } from '#/audit/sequence.ts'
import type { Tx } from '#/db/tables.ts'

/** Entries that are looked through: the newest ones may all have failed. */
const most = 100

/** The time of the last request that changed each of some objects, or something in them. */
export async function lastChanges(tx: Tx, ids: readonly string[]): Promise<Map<string, number>> {
  const found = await together(ids.map((id) => lastChange(tx, id)))
  return new Map(
    found.flatMap((seq, i): [string, number][] => {
      const id = ids[i]
      return id === undefined || seq === undefined ? [] : [[id, timeOf(seq)]]
    }),
  )
}

async function lastChange(tx: Tx, id: string): Promise<number | undefined> {
  const newest = tx
    .selectFrom('auditKey')
    .select('seq')
    .where('key', '=', id)
    .orderBy('seq', 'desc')
    .limit(most)
    .as('newest')
  const row = await tx
    .selectFrom(newest)
    .innerJoin('auditEntry', 'auditEntry.seq', 'newest.seq')
    .select('newest.seq')
    .where('auditEntry.status', '>', 0)
    .where('auditEntry.status', '<', 400)
    .orderBy('newest.seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}
