/** The layers that guests write to, where the driver of their machines keeps bytes. */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { changeDisk } from '#/resources/storage/disks.ts'
import { markWritten, newLayer } from '#/resources/storage/layers.ts'
import type { InstanceRow } from '#/resources/instances/view.ts'

type Instance = Pick<InstanceRow, 'id'>

/** Gives each disk of an instance that is about to start a layer to write to. */
export async function giveLayers(world: World, { id }: Instance): Promise<void> {
  const empty = (tx: Tx) =>
    tx.selectFrom('disk').selectAll().where('instanceId', '=', id).where('layerId', 'is', null).execute()
  if ((await world.engine.transaction('read', empty)).length === 0) return
  await world.engine.transaction('write', async (tx) => {
    const ctx = { tx, world, now: world.clock.now() }
    for (const disk of await empty(tx)) {
      const layerId = await newLayer(ctx, null)
      // To clients the disk has not changed.
      await changeDisk(ctx, disk, { layerId, timeModified: disk.timeModified })
    }
  })
}

/** Records that the layers that the disks of an instance write to have bytes. */
export async function markGuestLayers(tx: Tx, { id }: Instance): Promise<void> {
  const disks = await tx.selectFrom('disk').select('layerId').where('instanceId', '=', id).execute()
  const ids = disks.flatMap(({ layerId }) => (layerId === null ? [] : [layerId]))
  if (ids.length > 0) await markWritten(tx, ids)
}
