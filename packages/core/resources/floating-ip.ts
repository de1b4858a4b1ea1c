/** Floating IPs: external addresses that a project keeps, whatever instance they serve. */
import { formatIp, fromKey } from '@purlin/contract/rules/ip'
import type { Ctx, Family } from '../context.ts'
import type { ExternalIpTable, InstanceTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve, resolveIn, resolveToRead } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'
import { checkIpsMayChange, checkRoomForIp, tellAddresses } from './instance/addresses.ts'
import { choosePool, releaseExternal, takePoolAddress } from './pool-addresses.ts'

/** A floating IP as clients see it. */
export const floatingIpView = (row: ExternalIpTable) => ({
  ...headView(row),
  ip: formatIp(fromKey(row.ipKey)),
  ipPoolId: row.ipPoolId,
  projectId: row.projectId,
  instanceId: row.instanceId,
})

export const floatingIps: Family<
  | 'floatingIpList'
  | 'floatingIpCreate'
  | 'floatingIpView'
  | 'floatingIpUpdate'
  | 'floatingIpDelete'
  | 'floatingIpAttach'
  | 'floatingIpDetach'
> = {
  async floatingIpList(ctx, { query }) {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx
      .selectFrom('externalIp')
      .selectAll()
      .where('projectId', '=', project.id)
      .where('kind', '=', 'floating')
    return mapPage(await pageByName(ctx, query, rows), floatingIpView)
  },

  async floatingIpCreate(ctx, { query, body }) {
    const project = await resolve(ctx, 'project', query)
    const pool = await choosePool(ctx, body.pool)
    const row: ExternalIpTable = {
      ...newHead(ctx, body),
      kind: 'floating',
      ipKey: await takePoolAddress(ctx, pool.id, body.ip),
      ipPoolId: pool.id,
      projectId: project.id,
      instanceId: null,
      firstPort: 0,
      lastPort: 65_535,
    }
    await orExists('floating-ip', row.name, ctx.tx.insertInto('externalIp').values(row).execute())
    await addChild(ctx, 'project', project.id)
    return floatingIpView(row)
  },

  async floatingIpView(ctx, { params, query }) {
    return floatingIpView(await resolve(ctx, 'floatingIp', { ...params, ...query }))
  },

  async floatingIpUpdate(ctx, { params, query, body }) {
    const row = await resolve(ctx, 'floatingIp', { ...params, ...query })
    const changes = headChanges(ctx, body)
    const write = ctx.tx.updateTable('externalIp').set(changes).where('id', '=', row.id).execute()
    await orExists('floating-ip', body.name ?? row.name, write)
    return floatingIpView({ ...row, ...changes })
  },

  async floatingIpDelete(ctx, { params, query }) {
    const row = await resolve(ctx, 'floatingIp', { ...params, ...query })
    if (row.instanceId !== null)
      throw fault.invalid('Floating IP cannot be deleted while attached to an instance')
    await releaseExternal(ctx, row)
  },

  async floatingIpAttach(ctx, { params, query, body }) {
    const row = await resolve(ctx, 'floatingIp', { ...params, ...query })
    const instance = await resolveIn(ctx, 'instance', {
      value: body.parent,
      parent: { project: row.projectId },
    })
    if (row.instanceId === instance.id) return floatingIpView(row)
    checkFreeFor(instance, row)
    checkIpsMayChange(instance)
    await checkRoomForIp(ctx, instance.id)
    await tellAddresses(ctx, instance)
    return floatingIpView(await serve(ctx, row, instance.id))
  },

  async floatingIpDetach(ctx, { params, query }) {
    const row = await resolve(ctx, 'floatingIp', { ...params, ...query })
    if (row.instanceId === null) return floatingIpView(row)
    const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
    checkIpsMayChange(instance)
    await tellAddresses(ctx, instance)
    return floatingIpView(await serve(ctx, row, null))
  },
}

type Owner = Pick<InstanceTable, 'id' | 'projectId'>

/** Gives a new instance a floating IP of its project. Throws 400, 404. */
export async function attachFloating(ctx: Ctx, instance: Owner, nameOrId: string): Promise<void> {
  const row = await resolveIn(ctx, 'floatingIp', { value: nameOrId, parent: { project: instance.projectId } })
  checkFreeFor(instance, row)
  await serve(ctx, row, instance.id)
}

function checkFreeFor(instance: Owner, row: ExternalIpTable): void {
  if (row.projectId !== instance.projectId)
    throw fault.invalid('floating IP must be in the same project as the instance')
  if (row.instanceId !== null && row.instanceId !== instance.id)
    throw fault.invalid('floating IP cannot be attached to one instance while still attached to another')
}

async function serve(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  row: ExternalIpTable,
  instanceId: string | null,
): Promise<ExternalIpTable> {
  const set = { instanceId, timeModified: ctx.now }
  await ctx.tx.updateTable('externalIp').set(set).where('id', '=', row.id).execute()
  return { ...row, ...set }
}
