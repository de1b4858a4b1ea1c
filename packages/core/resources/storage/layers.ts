/**
 * Layers: where the bytes of disks, snapshots and images are. A disk writes into its own layer; the layers
 * beneath are read-only. A loop deletes layers that no row refers to.
 */
import { sql } from 'kysely'
import type { Ctx, World } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { Tx } from '#/db/tables.ts'
import { BytesMissing, type Layer } from '#/ports.ts'

/** Makes a layer above another one, or above none. It uses no storage until it is written. */
export async function newLayer(
  ctx: Pick<Ctx, 'tx' | 'world' | 'now'>,
  parentId: string | null,
): Promise<string> {
  const id = newRowId(ctx.world)
  await ctx.tx.insertInto('layer').values({ id, parentId, timeCreated: ctx.now }).execute()
  return id
}

/** A layer above `beneath`; null without a parent: it reads as zeros and needs no layer. */
export const layerAbove = async (ctx: Ctx, beneath: string | null): Promise<string | null> =>
  beneath === null ? null : newLayer(ctx, beneath)

/** A layer and all beneath it, newest first. */
export async function chainOf(tx: Tx, layerId: string | null): Promise<Layer[]> {
  if (layerId === null) return []
  const rows = await tx
    .withRecursive('chain(id, parentId, hasBytes, depth)', (db) =>
      db
        .selectFrom('layer')
        .select(['id', 'parentId', 'hasBytes', sql<number>`1`.as('depth')])
        .where('id', '=', layerId)
        .unionAll(
          db
            .selectFrom('chain')
            .innerJoin('layer', 'layer.id', 'chain.parentId')
            .select(['layer.id', 'layer.parentId', 'layer.hasBytes', sql<number>`depth + 1`.as('depth')]),
        ),
    )
    .selectFrom('chain')
    .select(['id', 'hasBytes'])
    .orderBy('depth')
    .execute()
  return rows.map(({ id, hasBytes }) => ({ id, hasBytes: hasBytes === 1 }))
}

/** Records that a layer has bytes, which are on stable storage: from now on it is an error if they are missing. */
export const markWritten = (tx: Tx, ids: readonly string[]) =>
  tx.updateTable('layer').set({ hasBytes: 1 }).where('id', 'in', ids).where('hasBytes', 'is', null).execute()

/**
 * Throws BytesMissing if bytes of these layers are missing. If the bytes cannot be reached, this is unknown, and it
 * does not throw.
 */
export async function requireBytes({ blobs }: Pick<World, 'blobs'>, chain: readonly Layer[]): Promise<void> {
  if (blobs.unreachable !== undefined) return
  const missing = await blobs.missing(chain)
  if (missing.length > 0) throw new BytesMissing(missing)
}
