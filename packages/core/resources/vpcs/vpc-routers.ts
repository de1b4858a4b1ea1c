/** Routers of a VPC: the system router, which is made with it, and custom ones that subnets may use as well. */
import type { BodyOf, Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { VpcRouterTable, VpcTable } from '#/db/tables.ts'
import { forgetTallies } from '#/db/rows/tallies.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newTags } from '../kind/rows.ts'

const view = (row: Listed<'vpcRouter'>) => ({ ...identityView(row), vpcId: row.vpcId, kind: row.kind })

export const routers = plain('vpcRouter', { view, create, remove }).handlers

function create(ctx: Ctx, vpc: VpcTable, body: BodyOf<'vpcRouterCreate'>): Promise<VpcRouterTable> {
  const own = { ...newIdentity(ctx, body), ...newTags(body) }
  const row = { ...own, projectId: vpc.projectId, vpcId: vpc.id, kind: 'custom' } as const
  return insertNamed(ctx, 'vpcRouter', row)
}

/** Deletes a custom router with its routes; its subnets have none afterwards. Throws 400. */
async function remove(ctx: Ctx, row: VpcRouterTable): Promise<void> {
  if (row.kind === 'system') throw fault.invalid('cannot delete system router')
  await ctx.tx
    .updateTable('vpcSubnet')
    .set({ customRouterId: null, timeModified: ctx.now })
    .where('vpcId', '=', row.vpcId)
    .where('customRouterId', '=', row.id)
    .execute()
  await ctx.tx.deleteFrom('routerRoute').where('vpcRouterId', '=', row.id).execute()
  await forgetTallies(ctx.tx, row)
  await deleteRow('vpcRouter')(ctx, row)
  ctx.wake(`networks ${row.vpcId}`)
}
