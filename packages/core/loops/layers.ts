/**
 * Deletes layers that no row refers to, and bytes in the store that belong to no layer. So whatever was
 * deleted, and whatever a crash has left, is gone after the next round.
 */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { batches } from '#/db/batches.ts'
import type { Loop } from './loop.ts'

const everyMs = 60 * 60_000
const perQuery = 200

export const sweepLayers = (world: World): Loop => ({
  name: 'layers',
  async round() {
    const { engine, blobs, clock } = world
    if (blobs.unreachable !== undefined) return clock.now() + everyMs
    // Read first: a layer has its row before it has bytes, so what has no row now never gets one.
    const stored = await blobs.list()
    // The parent of a deleted layer may be unreferenced now.
    while ((await engine.transaction('write', dropUnnamed)) > 0n);
    for (const batch of batches(stored, perQuery)) {
      const referenced = await engine.transaction('read', (tx) => knownAmong(tx, batch))
      for (const layer of batch) if (!referenced.has(layer)) await blobs.remove(layer)
    }
    return clock.now() + everyMs
  },
})

async function dropUnnamed(tx: Tx): Promise<bigint> {
  const done = await tx
    .deleteFrom('layer')
    .where((eb) =>
      eb.not(
        eb.or([
          eb.exists(eb.selectFrom('disk').select('disk.id').whereRef('disk.layerId', '=', 'layer.id')),
          eb.exists(
            eb.selectFrom('snapshot').select('snapshot.id').whereRef('snapshot.layerId', '=', 'layer.id'),
          ),
          eb.exists(eb.selectFrom('image').select('image.id').whereRef('image.layerId', '=', 'layer.id')),
          eb.exists(
            eb.selectFrom('layer as above').select('above.id').whereRef('above.parentId', '=', 'layer.id'),
          ),
        ]),
      ),
    )
    .executeTakeFirst()
  return done.numDeletedRows
}

async function knownAmong(tx: Tx, ids: string[]): Promise<Set<string>> {
  const rows = await tx.selectFrom('layer').select('id').where('id', 'in', ids).execute()
  return new Set(rows.map((row) => row.id))
}
