/** IP pools: as the users of a silo see those linked to it, and as operators manage them. */
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import type { IpPoolTable } from '#/db/tables.ts'
import { permit, resolve, resolveInFleet } from '#/auth/resolve.ts'
import { permits } from '#/auth/access.ts'
import { poolsOfSilo } from '#/auth/visible.ts'
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import { kinds } from '@purlin/contract/rules/kinds'
import { removeRanges, usageOf } from './pool-ranges.ts'
import { detachEverywhere } from './gateway-pools.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { plain, type How } from '../kind/plain.ts'

const view = (row: Listed<'ipPool'> & { isDefault: number }) => ({
  ...identityView(row),
  isDefault: row.isDefault === 1,
})
const operatorView = (row: Listed<'ipPool'>) => ({ ...identityView(row), ipVersion: versionOf(row) })

/** The version of the addresses of a pool. */
const versionOf = ({ ipVersion }: Pick<IpPoolTable, 'ipVersion'>) =>
  ipVersion === 'v6' ? ('v6' as const) : ('v4' as const)

/** Marks the pools of the control plane itself: see `IpPoolTable`. */
const servicePurpose = 'service'

/** The pool that an operator changes; one of the control plane itself is not found. Throws 403, 404. */
export async function poolToChange(ctx: Ctx, { pool }: { pool: string }): Promise<IpPoolTable> {
  const row = await resolveInFleet(ctx, 'ipPool', pool)
  if (row.purpose === servicePurpose) throw fault.notFound(kinds.ipPool.type, pool)
  return row
}

/** The pool with the addresses of the control plane itself. Throws 403, 404. */
export async function servicePool(ctx: Ctx): Promise<IpPoolTable> {
  if (!permits(ctx.actor, 'fleet.viewer')) throw fault.notFound(kinds.ipPool.type, servicePurpose)
  permit(ctx)
  return ctx.tx
    .selectFrom('ipPool')
    .selectAll()
    .where('purpose', '=', servicePurpose)
    .where('ipVersion', '=', 'v4')
    .executeTakeFirstOrThrow()
}

type ForUsers = `projectIpPool${'List' | 'View'}`
type ForOperators = `ipPool${'ServiceView' | 'UtilizationView'}`
const pools = plain('ipPool', {
  view: operatorView,
  seen: (_, rows) => rows.where('purpose', 'is', null),
  create,
  update,
  remove,
})

async function listOfSilo(ctx: Ctx, query: PageQuery, siloId: string) {
  const rows = poolsOfSilo(ctx.tx, siloId).clearSelect().select('ipPoolSilo.isDefault')
  return mapPage(await pageByName(ctx, query, { rows, table: 'ipPool', holder: '' }), view)
}

export const ipPools: Family<ForUsers | ForOperators | 'siloIpPoolList' | keyof typeof pools.handlers> = {
  ...pools.handlers,

  async projectIpPoolList(ctx, { query }) {
    permit(ctx)
    return listOfSilo(ctx, query, ctx.actor.siloId)
  },

  async siloIpPoolList(ctx, { params, query }) {
    const silo = await resolveInFleet(ctx, 'silo', params.silo)
    return listOfSilo(ctx, query, silo.id)
  },

  async projectIpPoolView(ctx, { params }) {
    return view(await resolve(ctx, 'ipPool', params))
  },

  async ipPoolServiceView(ctx) {
    return operatorView(await servicePool(ctx))
  },

  async ipPoolUtilizationView(ctx, { params }) {
    const pool = await resolveInFleet(ctx, 'ipPool', params.pool)
    const { used, capacity } = await usageOf(ctx.tx, pool.id)
    return { remaining: Number(capacity - used), capacity: Number(capacity) }
  },
}

async function create(ctx: Ctx, _: unknown, body: BodyOf<'ipPoolCreate'>): Promise<IpPoolTable> {
  const { ipVersion } = body
  if (ipVersion === 'v6') throw fault.invalid('IPv6 pools are not yet supported')
  return insertNamed(ctx, 'ipPool', { ...newIdentity(ctx, body), rcgen: 0, ipVersion, purpose: null })
}

function update(ctx: Ctx, pool: IpPoolTable, body: BodyOf<'ipPoolUpdate'>): Promise<IpPoolTable> {
  refuseService(pool)
  return updateNamed(ctx, ['ipPool', pool], identityChanges(ctx, body))
}

function refuseService({ purpose, name }: IpPoolTable): void {
  if (purpose === servicePurpose) throw fault.notFound(kinds.ipPool.type, name)
}

/**
 * Deletes a pool that has no ranges, with its links and from the gateways that it is attached to; with `cascade` also its
 * ranges. Throws 400.
 */
async function remove(ctx: Ctx, pool: IpPoolTable, { cascade }: How): Promise<void> {
  refuseService(pool)
  if (cascade) await removeRanges(ctx, pool)
  const ranges = ctx.tx.selectFrom('ipPoolRange').select('id').where('ipPoolId', '=', pool.id).limit(1)
  if (await ranges.executeTakeFirst())
    throw fault.invalid('IP Pool cannot be deleted while it contains IP ranges')
  await detachEverywhere(ctx, pool)
  await ctx.tx.deleteFrom('ipPoolSilo').where('ipPoolId', '=', pool.id).execute()
  await deleteRow('ipPool')(ctx, pool)
}
