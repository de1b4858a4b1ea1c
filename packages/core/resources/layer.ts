/**
 * Layers: where the bytes of disks, snapshots and images are. A disk writes into its own layer; what
 * lies beneath is never written again. A layer that no row names any more is swept away by its loop.
 */
import type { Ctx } from '../context.ts'
import type { Tx } from '../db/tables.ts'

/** Makes a layer above another one, or above nothing. It takes no room until it is written. */
export async function newLayer(
  ctx: Pick<Ctx, 'tx' | 'world' | 'now'>,
  parentId: string | null,
): Promise<string> {
  const id = ctx.world.ids.uuid()
  await ctx.tx.insertInto('layer').values({ id, parentId, timeCreated: ctx.now }).execute()
  return id
}

/** A layer above `beneath`; nothing above nothing, which reads as zeros and needs no layer. */
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
