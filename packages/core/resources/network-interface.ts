/** Network interfaces of instances: each has one private address in a subnet; the first is primary. */
import type { InstanceCreate } from '@purlin/contract/operations/instances'
import type { Out } from '@purlin/contract/schema'
import { formatIp, fromKey } from '@purlin/contract/rules/ip'
import { instanceCan } from '@purlin/contract/rules/instance'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx, Family } from '../context.ts'
import type { InstanceTable, NetworkInterfaceTable, VpcSubnetTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName, pageByNameAndId } from '../pages.ts'
import { resolve, resolveToRead } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'
import { formatMac, releasePrivateIp, takeMac, takePrivateIp } from './addresses.ts'
import { completeSnat } from './external-ip.ts'
import { changeInstance } from './instance/write.ts'
import { checkTransitIps } from './transit-ips.ts'

type Owner = Pick<InstanceTable, 'id' | 'name' | 'projectId'>
type Wanted = Out<typeof InstanceCreate>['networkInterfaces']
type NewNic = Extract<Wanted, { type: 'create' }>['params'][number]

/** An interface as clients see it. */
const nicView = (row: NetworkInterfaceTable) => ({
  ...headView(row),
  instanceId: row.instanceId,
  vpcId: row.vpcId,
  subnetId: row.subnetId,
  mac: formatMac(row.mac),
  ip: formatIp(fromKey(row.ipKey)),
  primary: row.isPrimary === 1,
  transitIps: JSON.parse(row.transitIpsJson) as string[],
})

export const networkInterfaces: Family<
  | 'instanceNetworkInterfaceList'
  | 'instanceNetworkInterfaceCreate'
  | 'instanceNetworkInterfaceView'
  | 'instanceNetworkInterfaceUpdate'
  | 'instanceNetworkInterfaceDelete'
  | 'vpcSubnetListNetworkInterfaces'
> = {
  async instanceNetworkInterfaceList(ctx, { query }) {
    const instance = await resolve(ctx, 'instance', { instance: query.instance, project: query.project })
    const rows = ctx.tx.selectFrom('networkInterface').selectAll().where('instanceId', '=', instance.id)
    return mapPage(await pageByName(ctx, query, rows), nicView)
  },

  async instanceNetworkInterfaceCreate(ctx, { query, body }) {
    const instance = await resolve(ctx, 'instance', query)
    if (!instanceCan('updateNic', instance.runState))
      throw fault.invalid('Instance must be stopped to attach a new network interface')
    const subnet = await findSubnet(ctx, instance, body)
    const siblings = await nicsOf(ctx, instance.id)
    checkJoins(siblings, subnet, body.name)
    const slots = new Set(siblings.map((one) => one.slot))
    const slot = range(limits.instance.nics).find((i) => !slots.has(i)) ?? 0
    const isPrimary = siblings.length === 0
    const row = await createNic(ctx, { instance, subnet, slot, isPrimary }, body)
    if (isPrimary) await completeSnat(ctx, instance)
    await touch(ctx, instance)
    return nicView(row)
  },

  async instanceNetworkInterfaceView(ctx, { params, query }) {
    return nicView(await resolve(ctx, 'networkInterface', { ...params, ...query }))
  },

  async instanceNetworkInterfaceUpdate(ctx, { params, query, body }) {
    const row = await resolve(ctx, 'networkInterface', { ...params, ...query })
    const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
    if (!instanceCan('updateNic', instance.runState))
      throw fault.invalid('Instance must be stopped to update its network interfaces')
    const transitIpsJson = JSON.stringify(checkTransitIps(body.transitIps))
    if (body.primary && row.isPrimary === 0) await demotePrimary(ctx, instance.id)
    const isPrimary = body.primary ? 1 : row.isPrimary
    const changes = { ...headChanges(ctx, body), transitIpsJson, isPrimary }
    const write = ctx.tx.updateTable('networkInterface').set(changes).where('id', '=', row.id).execute()
    await orExists('instance-network-interface', body.name ?? row.name, write)
    await touch(ctx, instance)
    return nicView({ ...row, ...changes })
  },

  async instanceNetworkInterfaceDelete(ctx, { params, query }) {
    const row = await resolve(ctx, 'networkInterface', { ...params, ...query })
    const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
    if (!instanceCan('removeNic', instance.runState))
      throw fault.invalid('Instance must be stopped or failed to detach a network interface')
    if (row.isPrimary === 1 && (await nicsOf(ctx, instance.id)).length > 1)
      throw fault.invalid(
        'The primary interface may not be deleted while secondary interfaces are still attached',
      )
    await ctx.tx.deleteFrom('networkInterface').where('id', '=', row.id).execute()
    await releasePrivateIp(ctx, row)
    await touch(ctx, instance)
  },

  async vpcSubnetListNetworkInterfaces(ctx, { params, query }) {
    const { project, vpc } = query
    const subnet = await resolve(ctx, 'vpcSubnet', { ...params, project, vpc })
    const rows = ctx.tx.selectFrom('networkInterface').selectAll().where('subnetId', '=', subnet.id)
    return mapPage(await pageByNameAndId(ctx, query, rows), nicView)
  },
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

const nicsOf = (ctx: Pick<Ctx, 'tx'>, instanceId: string): Promise<NetworkInterfaceTable[]> =>
  ctx.tx.selectFrom('networkInterface').selectAll().where('instanceId', '=', instanceId).execute()

// The instance's own generation moves too, so that a start that raced with this loses.
const touch = (ctx: Ctx, instance: InstanceTable) =>
  changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })

// Only here: a body's names mean nothing outside the instance's project.
const findSubnet = (ctx: Ctx, instance: Owner, { vpcName, subnetName }: NewNic): Promise<VpcSubnetTable> =>
  resolve(ctx, 'vpcSubnet', { subnet: subnetName, vpc: vpcName, project: instance.projectId })

/** Refuses an interface that does not go with those that the instance has. Throws 400. */
function checkJoins(siblings: readonly NetworkInterfaceTable[], subnet: VpcSubnetTable, name: string): void {
  const { nics } = limits.instance
  if (siblings.length >= nics) throw fault.invalid(`May not attach more than ${nics} network interfaces`)
  if (siblings.some((one) => one.vpcId !== subnet.vpcId))
    throw fault.invalid(
      'Networking may not span multiple VPCs, but the requested resource is associated with another VPC',
    )
  if (siblings.some((one) => one.subnetId === subnet.id)) throw sameSubnet()
  if (siblings.some((one) => one.name === name)) throw fault.exists('instance-network-interface', name)
}

const sameSubnet = () => fault.invalid('Each interface must be in a distinct VPC Subnet')

const demotePrimary = (ctx: Ctx, instanceId: string) =>
  ctx.tx
    .updateTable('networkInterface')
    .set({ isPrimary: 0, timeModified: ctx.now })
    .where('instanceId', '=', instanceId)
    .where('isPrimary', '=', 1)
    .execute()

/** Makes the interfaces of a new instance, in their order. Throws 400, 404, 507. */
export async function createNics(
  ctx: Ctx,
  instance: Owner,
  wanted: Wanted,
): Promise<NetworkInterfaceTable[]> {
  const list = listOf(instance, wanted)
  const rows: NetworkInterfaceTable[] = []
  for (const one of list) {
    const subnet = await findSubnet(ctx, instance, one)
    const slot = rows.length
    rows.push(await createNic(ctx, { instance, subnet, slot, isPrimary: slot === 0 }, one))
  }
  return rows
}

function listOf(instance: Owner, wanted: Wanted): NewNic[] {
  switch (wanted.type) {
    case 'none':
      return []
    case 'default': {
      const description = `default primary interface for ${instance.name}`
      return [{ name: 'net0', description, vpcName: 'default', subnetName: 'default', transitIps: [] }]
    }
    case 'create':
      checkList(wanted.params)
      return wanted.params
  }
}

function checkList(list: readonly NewNic[]): void {
  const { nics } = limits.instance
  if (list.length > nics) throw fault.invalid(`An instance may not have more than ${nics} network interfaces`)
  const distinct = (key: 'vpcName' | 'subnetName') => new Set(list.map((one) => one[key])).size
  if (distinct('vpcName') !== 1) throw fault.invalid('All interfaces must be in the same VPC')
  if (distinct('subnetName') !== list.length) throw sameSubnet()
  const twice = list.find((one, i) => list.findIndex((other) => other.name === one.name) !== i)
  if (twice) throw fault.exists('instance-network-interface', twice.name)
}

interface Place {
  instance: Owner
  subnet: VpcSubnetTable
  slot: number
  isPrimary: boolean
}

async function createNic(
  ctx: Ctx,
  { instance, subnet, slot, isPrimary }: Place,
  from: NewNic,
): Promise<NetworkInterfaceTable> {
  const transitIps = checkTransitIps(from.transitIps)
  const row: NetworkInterfaceTable = {
    ...newHead(ctx, from),
    projectId: instance.projectId,
    instanceId: instance.id,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    mac: await takeMac(ctx, subnet.vpcId),
    ipKey: await takePrivateIp(ctx, subnet, from.ip),
    slot,
    isPrimary: isPrimary ? 1 : 0,
    transitIpsJson: JSON.stringify(transitIps),
  }
  await ctx.tx.insertInto('networkInterface').values(row).execute()
  await addChild(ctx, 'vpcSubnet', subnet.id)
  return row
}

/** Deletes the interfaces of an instance that ends and gives their addresses back. */
export async function deleteNics(ctx: Pick<Ctx, 'tx'>, instanceId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('networkInterface')
    .select(['subnetId', 'ipKey'])
    .where('instanceId', '=', instanceId)
    .execute()
  await ctx.tx.deleteFrom('networkInterface').where('instanceId', '=', instanceId).execute()
  for (const row of rows) await releasePrivateIp(ctx, row)
}
