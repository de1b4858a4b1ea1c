/** Past samples for the demo, so that every chart has data from the start. */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { place } from '#/resources/instances/placement.ts'

/** How long ago the demo world has begun, as far as its charts know. Simulated machines take it as their `past`. */
export const demoPastMs = 3 * 3_600_000

// The machines have been started by then.
const firstSamplesMs = 2_000

/** Places the instances that should run, and spreads the provisioning over the past. */
export async function giveHistory(world: World, tx: Tx): Promise<void> {
  const now = world.clock.now()
  const waiting = await tx
    .selectFrom('instance')
    .selectAll()
    .where('runState', '=', 'creating')
    .where('desired', '=', 'running')
    .orderBy('name')
    .execute()
  // One after the other, as users would.
  for (const [i, row] of waiting.entries()) await place(world, tx, { row, now: now - waiting.length + i })
  await spreadUsage(tx, now)
  await tx
    .updateTable('lease')
    .set({ until: now + firstSamplesMs })
    .where('name', '=', 'samples')
    .execute()
}

/** Spreads resources that were provisioned together over hours, in the same order. */
async function spreadUsage(tx: Tx, now: number): Promise<void> {
  const samples = await tx.selectFrom('usageSample').selectAll().orderBy('at').execute()
  const spread = [...Map.groupBy(samples, (one) => one.metric).values()].flatMap((all) => {
    const times = [...new Set(all.map((one) => one.at))]
    const step = demoPastMs / (times.length + 1)
    return all.map((one) => ({ ...one, at: Math.round(now - demoPastMs + times.indexOf(one.at) * step) }))
  })
  if (spread.length === 0) return
  await tx.deleteFrom('usageSample').execute()
  await tx.insertInto('usageSample').values(spread).execute()
}
