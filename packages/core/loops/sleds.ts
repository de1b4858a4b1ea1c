/** The machines of the rack, as rows: placement reserves room on them. */
import type { World } from '#/context.ts'
import type { SledInfo } from '#/ports.ts'
import type { Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'

/** Writes the sleds that the driver knows into the database. Policies and reservations of known ones stay. */
export async function registerSleds(world: World): Promise<void> {
  const sleds = await world.sleds.sleds()
  const write = () =>
    world.engine.transaction('write', async (tx) => {
      for (const sled of sleds) await upsertSled(world, tx, sled)
    })
  // A server can be started to free room.
  await evenWhileFull(write)
}

async function upsertSled(world: World, tx: Tx, sled: SledInfo): Promise<void> {
  const now = world.clock.now()
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
    // Servers that start at the same moment register the same sleds.
    .onConflict((on) => on.column('id').doUpdateSet({ ...sled, timeModified: now }))
    .execute()
}
