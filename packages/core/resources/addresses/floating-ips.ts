/** Floating IPs: external IPs of a project, attached to one of its instances or to none. */
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { noteDeleted, noteFields } from '#/audit/touched.ts'
import type { BodyOf, Ctx } from '#/context.ts'
import type { ExternalIpTable, InstanceTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { plain } from '../kind/plain.ts'
import { lastUseView, notUsed } from '../kind/last-use.ts'
import { unusedFloatingIps } from '../kind/unused.ts'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import { identityView, insertNamed, newIdentity, newKept } from '../kind/rows.ts'
import { checkIpsMayChange, checkRoomForIp, resendAddresses } from '../instances/external-ip-rules.ts'
import { choosePool, releaseExternal, takePoolAddress, useAddress } from './pool-addresses.ts'

/** A floating IP as clients see it. */
export const floatingIpView = (row: Listed<'externalIp'>) => ({
  ...identityView(row),
  ip: formatIp(fromKey(row.ipKey)),
  ipPoolId: row.ipPoolId,
  projectId: row.projectId,
  instanceId: row.instanceId,
  ...lastUseView(row),
})

const floatingIp = plain('floatingIp', {
  view: floatingIpView,
  unused: unusedFloatingIps,
  create,
  remove,
})

export const floatingIps = {
  ...floatingIp.handlers,
  floatingIpAttach: floatingIp.act(attach),
  floatingIpDetach: floatingIp.act(detach),
}

async function create(
  ctx: Ctx,
  project: RowOf<'project'>,
  body: BodyOf<'floatingIpCreate'>,
): Promise<ExternalIpTable> {
  const pool = await choosePool(ctx, body.pool)
  const row = await insertNamed(ctx, 'floatingIp', {
    ...newIdentity(ctx, body),
    kind: 'floating',
    ipKey: await takePoolAddress(ctx, pool.id, body.ip),
    ipPoolId: pool.id,
    projectId: project.id,
    instanceId: null,
    firstPort: 0,
    lastPort: 65_535,
    ...newKept(body),
    ...notUsed,
  })
  await useAddress(ctx, row, project.siloId)
  return row
}

async function remove(ctx: Ctx, row: ExternalIpTable): Promise<void> {
  if (row.instanceId !== null)
    throw fault.invalid('Floating IP cannot be deleted while attached to an instance')
  await releaseExternal(ctx, row)
  noteDeleted(ctx.unit, 'floatingIp', row)
}

async function attach(
  ctx: Ctx,
  row: ExternalIpTable,
  body: BodyOf<'floatingIpAttach'>,
): Promise<ExternalIpTable> {
  const within = { project: row.projectId }
  const instance = await resolve(ctx, 'instance', { instance: body.parent, within })
  if (row.instanceId === instance.id) return row
  checkSameProject(instance, row)
  const former = row.instanceId === null ? null : await formerOf(ctx, row.instanceId, body)
  checkIpsMayChange(instance)
  await checkRoomForIp(ctx, instance.id)
  if (former) await resendAddresses(ctx, former)
  await resendAddresses(ctx, instance)
  return moveTo(ctx, row, instance.id)
}

/** The instance that a floating IP moves away from. Throws 400 if it may not, or is not to. */
async function formerOf(
  ctx: Ctx,
  instance: string,
  { move }: BodyOf<'floatingIpAttach'>,
): Promise<InstanceTable> {
  if (!move) throw attachedElsewhere()
  const former = await resolveToRead(ctx, 'instance', { instance })
  checkIpsMayChange(former)
  return former
}

async function detach(ctx: Ctx, row: ExternalIpTable): Promise<ExternalIpTable> {
  if (row.instanceId === null) return row
  const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
  checkIpsMayChange(instance)
  await resendAddresses(ctx, instance)
  return moveTo(ctx, row, null)
}

async function moveTo(ctx: Ctx, row: ExternalIpTable, instanceId: string | null): Promise<ExternalIpTable> {
  const moved = await setInstance(ctx, row, instanceId)
  await noteFields(ctx, ['floatingIp', row], moved)
  return moved
}

type Owner = Pick<InstanceTable, 'id' | 'projectId'>

/** Gives a new instance a floating IP of its project. Throws 400, 404. */
export async function attachFloating(ctx: Ctx, instance: Owner, nameOrId: string): Promise<void> {
  const within = { project: instance.projectId }
  const row = await resolve(ctx, 'floatingIp', { floatingIp: nameOrId, within })
  checkSameProject(instance, row)
  if (row.instanceId !== null && row.instanceId !== instance.id) throw attachedElsewhere()
  await setInstance(ctx, row, instance.id)
}

function checkSameProject(instance: Owner, row: ExternalIpTable): void {
  if (row.projectId !== instance.projectId)
    throw fault.invalid('floating IP must be in the same project as the instance')
}

const attachedElsewhere = () =>
  fault.invalid('floating IP cannot be attached to one instance while still attached to another')

async function setInstance(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  row: ExternalIpTable,
  instanceId: string | null,
): Promise<ExternalIpTable> {
  const used = row.instanceId === null ? {} : { timeLastUsed: ctx.now }
  const set = { instanceId, timeModified: ctx.now, ...used }
  await ctx.tx.updateTable('externalIp').set(set).where('id', '=', row.id).execute()
  return { ...row, ...set }
}
