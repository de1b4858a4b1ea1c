/**
 * Layers: where the bytes of disks, snapshots and images are. A disk writes into its own layer; the layers
 * beneath are read-only. A loop deletes layers that no row refers to.
 */
import type { Ctx } from '#/context.ts'
import { newRowId } from '#/db/row-id.ts'
import type { Tx } from '#/db/tables.ts'

/** Makes a layer above another one, or above none. It uses no storage until it is written. */
export async function newLayer(
  ctx: Pick<Ctx, 'tx' | 'world' | 'now'>,
  parentId: string | null,
): Promise<string> {
  const id = newRowId(ctx.world)
  await ctx.tx.insertInto('layer').values({ id, parentId, timeCreated: ctx.now }).execute()
  return id
}

/** A layer above `beneath`; null if there is nothing beneath: it reads as zeros and needs no layer. */
export const layerAbove = async (ctx: Ctx, beneath: string | null): Promise<string | null> =>
  beneath === null ? null : newLayer(ctx, beneath)

/** A layer and all beneath it, newest first. */
export async function chainOf(tx: Tx, layerId: string | null): Promise<string[]> {
  const chain: string[] = []
  for (let id = layerId; id !== null;) {
    chain.push(id)
    const row = await tx.selectFrom('layer').select('parentId').where('id', '=', id).executeTakeFirst()
    id = row?.parentId ?? null
  }
  return chain
}
