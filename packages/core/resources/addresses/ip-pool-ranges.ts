/** The ranges of IP pools, of those of silos and of that of the control plane itself. */
import { listChanges } from '#/audit/field-texts.ts'
import { noteChanges } from '#/audit/touched.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { mapPage, pageByColumn } from '#/db/lists/pages.ts'
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { IpPoolTable } from '#/db/tables.ts'
import { addRange, rangeText, removeRange, written } from './pool-ranges.ts'
import { poolToChange, servicePool } from './ip-pools.ts'

const view = (row: Listed<'ipPoolRange'>) => ({
  id: row.id,
  ipPoolId: row.ipPoolId,
  range: rangeText(row),
  timeCreated: new Date(row.timeCreated),
})

async function list(ctx: Ctx, pool: IpPoolTable, query: PageQuery) {
  const rows = ctx.tx.selectFrom('ipPoolRange').where('ipPoolId', '=', pool.id)
  return mapPage(await pageByColumn(ctx, query, { rows, table: 'ipPoolRange', column: 'firstKey' }), view)
}

type Range = BodyOf<'ipPoolRangeAdd'>

async function add(ctx: Ctx, pool: IpPoolTable, body: Range) {
  const row = await addRange(ctx, pool, body)
  noteChanges(ctx.unit, ['ipPool', pool], listChanges('ranges', [], [written(row)]))
  return view(row)
}

async function remove(ctx: Ctx, pool: IpPoolTable, body: Range): Promise<void> {
  const keys = await removeRange(ctx, pool, body)
  noteChanges(ctx.unit, ['ipPool', pool], listChanges('ranges', [written(keys)], []))
}

type Verbs = 'List' | 'Add' | 'Remove'
export const poolRanges: Family<`ipPoolRange${Verbs}` | `ipPoolServiceRange${Verbs}`> = {
  ipPoolRangeList: async (ctx, { params, query }) => list(ctx, await poolToChange(ctx, params), query),
  ipPoolRangeAdd: async (ctx, { params, body }) => add(ctx, await poolToChange(ctx, params), body),
  ipPoolRangeRemove: async (ctx, { params, body }) => remove(ctx, await poolToChange(ctx, params), body),
  ipPoolServiceRangeList: async (ctx, { query }) => list(ctx, await servicePool(ctx), query),
  ipPoolServiceRangeAdd: async (ctx, { body }) => add(ctx, await servicePool(ctx), body),
  ipPoolServiceRangeRemove: async (ctx, { body }) => remove(ctx, await servicePool(ctx), body),
}
