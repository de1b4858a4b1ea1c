/**
 * Deletes layers that no row refers to. Bytes that no row knows are put aside for a week instead: a crash may have left
 * them, but they may as well belong to a newer state of the database than this one, which was restored from a backup.
 */
import type { World } from '#/context.ts'
import type { Tx } from '#/db/tables.ts'
import { batches } from '#/db/batches.ts'
import { isBackupUnderWay } from '#/db/rows/backup-lease.ts'
import { markWritten } from '#/resources/storage/layers.ts'
import type { Loop } from '../loop.ts'

const everyMs = 60 * 60_000
const duringBackupMs = 60_000
const perQuery = 200

const asideMs = 7 * 24 * 60 * 60_000

export const sweepLayers = (world: World): Loop => ({
  name: 'layers',
  async round() {
    const { engine, blobs, clock } = world
    if ((blobs.unreachable ?? blobs.readOnly) !== undefined) return clock.now() + everyMs
    const pause = () => clock.now() + duringBackupMs
    if (await isBackupUnderWay(world)) return pause()
    // Read first: a layer has its row before it has bytes, so a file without a row now never gets one.
    const stored = await blobs.list()
    // The parent of a deleted layer may be unreferenced now.
    for (let more = true; more;) {
      const dropped = await engine.transaction('write', dropUnnamed)
      // If one has just begun, the bytes are put aside in a later round.
      if (dropped.length > 0 && (await isBackupUnderWay(world))) return pause()
      for (const layer of dropped) await blobs.remove(layer)
      more = dropped.length > 0
    }
    for (const batch of batches(stored, perQuery)) {
      const referenced = await engine.transaction('read', (tx) => knownAmong(tx, batch))
      // Layers of earlier versions.
      const unmarked = [...referenced].filter(([, hasBytes]) => !hasBytes).map(([id]) => id)
      if (unmarked.length > 0) await engine.transaction('write', (tx) => markWritten(tx, unmarked))
      const unknown = batch.filter((layer) => !referenced.has(layer))
      if (unknown.length > 0 && (await isBackupUnderWay(world))) return pause()
      for (const layer of unknown) await blobs.putAside(layer, clock.now())
    }
    await blobs.dropAside(clock.now() - asideMs)
    return clock.now() + everyMs
  },
})

async function dropUnnamed(tx: Tx): Promise<string[]> {
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
            eb
              .selectFrom('imageImport')
              .select('imageImport.id')
              .whereRef('imageImport.layerId', '=', 'layer.id'),
          ),
          eb.exists(
            eb.selectFrom('layer as above').select('above.id').whereRef('above.parentId', '=', 'layer.id'),
          ),
        ]),
      ),
    )
    .returning('id')
    .execute()
  return done.map(({ id }) => id)
}

/** The layers that have a row, and whether the row records bytes. */
async function knownAmong(tx: Tx, ids: string[]): Promise<Map<string, boolean>> {
  const rows = await tx.selectFrom('layer').select(['id', 'hasBytes']).where('id', 'in', ids).execute()
  return new Map(rows.map(({ id, hasBytes }) => [id, hasBytes === 1]))
}
