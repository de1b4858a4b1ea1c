/** The machines of the rack, as rows: placement reserves room on them. */
import type { World } from '../context.ts'
import type { SledInfo } from '../ports.ts'
import type { Tx } from '../db/tables.ts'

/** Takes in the sleds that the driver knows. Policies and reservations of known ones stay. */
export async function registerSleds(world: World): Promise<void> {
  const sleds = await world.sleds.sleds()
  await world.engine.transaction('write', async (tx) => {
    for (const sled of sleds) await takeIn(world, tx, sled)
  })
}

async function takeIn(world: World, tx: Tx, sled: SledInfo): Promise<void> {
  const now = world.clock.now()
  const known = await tx.selectFrom('sled').select('id').where('id', '=', sled.id).executeTakeFirst()
  if (known) {
    await tx
      .updateTable('sled')
      .set({ ...sled, timeModified: now })
      .where('id', '=', sled.id)
      .execute()
    return
  }
  const fresh = {
    provisionPolicy: 'provisionable',
    usedThreads: 0,
    usedMemory: 0,
    timeCreated: now,
    timeModified: now,
  } as const
  await tx
    .insertInto('sled')
    .values({ ...sled, ...fresh })
    .execute()
}
