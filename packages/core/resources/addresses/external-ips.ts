/** External IPs of instances: a port block for source NAT, an ephemeral IP, floating IPs. */
import type { InstanceCreate } from '@purlin/contract/operations/instances/instances'
import type { Out } from '@purlin/contract/schema'
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx, Family } from '#/context.ts'
import type { Page } from '#/db/lists/pages.ts'
import { insertRow } from '#/db/prepared.ts'
import { newRowId } from '#/db/row-id.ts'
import type { ExternalIpTable, InstanceTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { resolve } from '#/auth/resolve.ts'
import { notUsed } from '../kind/last-use.ts'
import { attachFloating, floatingIpView } from './floating-ips.ts'
import { newKept } from '../kind/rows.ts'
import { checkIpsMayChange, checkRoomForIp, resendAddresses } from '../instances/external-ip-rules.ts'
import {
  choosePool,
  defaultPoolOrNull,
  releaseExternal,
  takePoolAddress,
  takeSnat,
  useAddress,
  type SnatShare,
} from './pool-addresses.ts'
import { takeClaimed } from './snat-claims.ts'

type Owner = Pick<InstanceTable, 'id' | 'projectId' | 'siloId'>
type RequestedIp = Out<typeof InstanceCreate>['externalIps'][number]

/** An external address as clients see it. */
function externalIpView(row: ExternalIpTable) {
  const { kind, ipPoolId, firstPort, lastPort } = row
  const ip = formatIp(fromKey(row.ipKey))
  switch (kind) {
    case 'snat':
      return { kind, ip, ipPoolId, firstPort, lastPort }
    case 'ephemeral':
      return { kind, ip, ipPoolId }
    case 'floating':
      return { kind, ...floatingIpView(row) }
  }
}

const views = ['floating', 'ephemeral', 'snat']
const viewsOf = (rows: readonly ExternalIpTable[]) =>
  rows.toSorted((a, b) => views.indexOf(a.kind) - views.indexOf(b.kind)).map(externalIpView)

/** The external IPs of an instance: floating by name, then ephemeral, then source NAT. */
export const listExternalIps = async (ctx: Pick<Ctx, 'tx'>, instanceId: string) =>
  viewsOf(await rowsOf(ctx, instanceId))

/** The instances of a page with the external IPs of each. */
export async function withExternalIps<V extends { id: string }>(ctx: Pick<Ctx, 'tx'>, page: Page<V>) {
  const ids = page.items.map(({ id }) => id)
  const rows =
    ids.length === 0
      ? []
      : await ctx.tx
          .selectFrom('externalIp')
          .selectAll()
          .where('instanceId', 'in', ids)
          .orderBy('name')
          .execute()
  const byInstance = Map.groupBy(rows, ({ instanceId }) => instanceId)
  const items = page.items.map((one) => ({ ...one, externalIps: viewsOf(byInstance.get(one.id) ?? []) }))
  return { ...page, items }
}

const rowsOf = (ctx: Pick<Ctx, 'tx'>, instanceId: string): Promise<ExternalIpTable[]> =>
  ctx.tx.selectFrom('externalIp').selectAll().where('instanceId', '=', instanceId).orderBy('name').execute()

/** Allocates the external IPs of a new instance, in the requested order. Throws 400, 404, 507. */
export async function createExternalIps(
  ctx: Ctx,
  instance: Owner,
  requested: readonly RequestedIp[],
): Promise<void> {
  const { externalIps, ephemeralIps } = limits.instance
  if (requested.length > externalIps)
    throw fault.invalid(`An instance may not have more than ${externalIps} external IP addresses`)
  if (requested.filter((one) => one.type === 'ephemeral').length > ephemeralIps)
    throw fault.invalid(`An instance may not have more than ${ephemeralIps} ephemeral IP address`)
  for (const one of requested) {
    if (one.type === 'ephemeral') await addEphemeral(ctx, instance, one.pool)
    else await attachFloating(ctx, instance, one.floatingIp)
  }
}

/** Allocates an ephemeral IP of a pool, or of the default one, to an instance or a probe. Throws 404, 507. */
export async function addEphemeral(
  ctx: Ctx,
  instance: Owner,
  pool: string | null | undefined,
): Promise<ExternalIpTable> {
  const { id: ipPoolId } = await choosePool(ctx, pool)
  const ipKey = await takePoolAddress(ctx, ipPoolId)
  return store(ctx, instance, { kind: 'ephemeral', ipPoolId, ipKey, firstPort: 0, lastPort: 65_535 })
}

const ofKind = (ctx: Pick<Ctx, 'tx'>, instanceId: string, kind: 'ephemeral' | 'snat') =>
  ctx.tx
    .selectFrom('externalIp')
    .selectAll()
    .where('instanceId', '=', instanceId)
    .where('kind', '=', kind)
    .executeTakeFirst()

export const ephemeralIps: Family<'instanceEphemeralIpAttach' | 'instanceEphemeralIpDetach'> = {
  async instanceEphemeralIpAttach(ctx, { params, query, body }) {
    const instance = await resolve(ctx, 'instance', { ...params, ...query })
    const present = await ofKind(ctx, instance.id, 'ephemeral')
    if (present) return externalIpView(present)
    checkIpsMayChange(instance)
    await checkRoomForIp(ctx, instance.id)
    await resendAddresses(ctx, instance)
    return externalIpView(await addEphemeral(ctx, instance, body.pool))
  },

  async instanceEphemeralIpDetach(ctx, { params, query }) {
    const instance = await resolve(ctx, 'instance', { ...params, ...query })
    const present = await ofKind(ctx, instance.id, 'ephemeral')
    if (!present) throw fault.invalid('instance does not have an ephemeral IP attached')
    checkIpsMayChange(instance)
    await releaseExternal(ctx, present)
    await resendAddresses(ctx, instance)
  },
}

/**
 * Allocates a port block for source NAT to an instance with an interface; without one it would have no use. Without a
 * default pool the instance has no outbound access: decision 0006.
 */
export async function createSnat(ctx: Ctx, instance: Owner): Promise<void> {
  const pool = await defaultPoolOrNull(ctx)
  if (!pool) return
  const share = (await takeClaimed(ctx, pool.id)) ?? (await takeSnat(ctx, pool.id))
  await store(ctx, instance, { kind: 'snat', ipPoolId: pool.id, ...share })
}

/** Allocates the port block of an instance that was created without an interface and has one now. Throws 507. */
export async function completeSnat(ctx: Ctx, instance: Owner): Promise<void> {
  if (!(await ofKind(ctx, instance.id, 'snat'))) await createSnat(ctx, instance)
}

async function store(
  ctx: Ctx,
  instance: Owner,
  address: SnatShare & Pick<ExternalIpTable, 'kind' | 'ipPoolId'>,
): Promise<ExternalIpTable> {
  const id = newRowId(ctx.world)
  const owner = { projectId: instance.projectId, instanceId: instance.id }
  const times = { timeCreated: ctx.now, timeModified: ctx.now }
  const row = { id, name: id, description: '', ...newKept({}), ...notUsed, ...owner, ...address, ...times }
  await insertRow(ctx.tx, 'externalIp', row)
  if (row.kind !== 'snat') await useAddress(ctx, row, instance.siloId)
  return row
}

/** Releases the external IPs of an instance or a probe that is deleted; floating IPs are detached. */
export async function releaseExternalIps(ctx: Pick<Ctx, 'tx' | 'now'>, instanceId: string): Promise<void> {
  for (const row of await rowsOf(ctx, instanceId))
    if (row.kind !== 'floating') await releaseExternal(ctx, row)
  await ctx.tx
    .updateTable('externalIp')
    .set({ instanceId: null, timeModified: ctx.now, timeLastUsed: ctx.now })
    .where('instanceId', '=', instanceId)
    .execute()
}
