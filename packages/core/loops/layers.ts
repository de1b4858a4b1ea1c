/**
 * Layers that no row names any more leave the database, and bytes that no layer's row speaks of leave
 * the store. So whatever was deleted, and whatever a crash has left, is gone after the next round.
 */
import type { World } from '../context.ts'
import type { Tx } from '../db/tables.ts'
import { pieces } from '../pieces.ts'
import type { Loop } from './loop.ts'

const everyMs = 60 * 60_000
const perQuery = 200

export const sweepLayers = (world: World): Loop => ({
  name: 'layers',
  async round() {
    const { engine, blobs, clock } = world
    // Read first: a layer has its row before it has bytes, so what has no row now never gets one.
    const held = await blobs.list()
    // What lay beneath a layer that has gone may be unnamed now.
    while ((await engine.transaction('write', dropUnnamed)) > 0n);
    for (const some of pieces(held, perQuery)) {
      const known = await engine.transaction('read', (tx) => knownAmong(tx, some))
      for (const layer of some) if (!known.has(layer)) await blobs.remove(layer)
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
