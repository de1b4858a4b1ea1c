/** Leases of work that one server does at a time. */
import type { LeaseTable, Tx } from '../tables.ts'

/**
 * Work that a server has claimed and then not touched for this long is taken over by another one. Others look every
 * `World.lookMs`, and at the end of a claim that they have seen: five seconds after a server has ended at the latest.
 */
export const takeOverMs = 4_000

/** Takes a lease until a time. Returns the end of another server's claim if there is one, and then takes nothing. */
export async function claim(
  tx: Tx,
  name: string,
  { now, until }: { now: number; until: number },
): Promise<number | null> {
  const lease = await tx.selectFrom('lease').select('until').where('name', '=', name).executeTakeFirst()
  if (lease && lease.until > now) return lease.until
  await setLease(tx, name, { until })
  return null
}

/** Takes a lease, or moves its end. */
export async function setLease(
  tx: Tx,
  name: string,
  lease: Pick<LeaseTable, 'until'> & Partial<LeaseTable>,
): Promise<void> {
  await tx
    .insertInto('lease')
    .values({ name, holder: '', epoch: null, ...lease })
    .onConflict((on) => on.column('name').doUpdateSet(lease))
    .execute()
}
