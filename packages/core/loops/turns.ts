/** Work that comes round at fixed times, and that one of all servers does each time. */
import type { World } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import { turn, type Keep } from '../turn.ts'

export interface Recurring {
  name: string
  everyMs: number
  pieces(keep: Keep): Promise<void>
}

// Another server takes over from one that has not been heard of for so long.
const claimMs = 2 * 60_000

/** Does the work if it is due and nobody does it already; returns when to look again. */
export async function takeTurn(
  { engine, clock }: World,
  isStopped: () => boolean,
  work: Recurring,
): Promise<number> {
  const until = (time: number) => engine.transaction('write', (tx) => setLease(tx, work.name, time))
  const due = await engine.transaction('write', async (tx) => {
    const lease = await tx
      .selectFrom('lease')
      .select('until')
      .where('name', '=', work.name)
      .executeTakeFirst()
    if (lease && lease.until > clock.now()) return lease.until
    await setLease(tx, work.name, clock.now() + claimMs)
    return null
  })
  if (due !== null) return due
  const began = clock.now()
  let claimed = began
  await work.pieces(async () => {
    if (isStopped()) return false
    await turn()
    if (clock.now() < claimed + claimMs / 2) return true
    claimed = clock.now()
    await until(claimed + claimMs)
    return true
  })
  // Unfinished work is due at once for whoever comes next.
  const next = isStopped() ? clock.now() : Math.max(clock.now(), began + work.everyMs)
  await until(next)
  return next
}

async function setLease(tx: Tx, name: string, until: number): Promise<void> {
  await tx
    .insertInto('lease')
    .values({ name, holder: '', until })
    .onConflict((on) => on.column('name').doUpdateSet({ until }))
    .execute()
}
