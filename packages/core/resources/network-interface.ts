/** Network interfaces of instances: each has one private address in a subnet; the first is primary. */
import type { InstanceCreate } from '@purlin/contract/operations/instances'
import type { Out } from '@purlin/contract/schema'
import { formatIp, fromKey } from '@purlin/contract/rules/ip'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx, Family } from '../context.ts'
import type { InstanceTable, NetworkInterfaceTable, VpcSubnetTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve } from '../resolve.ts'
import { addChild, headView, newHead } from '../rows.ts'
import { formatMac, releasePrivateIp, takeMac, takePrivateIp } from './addresses.ts'
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

export const networkInterfaces: Family<'instanceNetworkInterfaceList' | 'instanceNetworkInterfaceView'> = {
  async instanceNetworkInterfaceList(ctx, { query }) {
    const instance = await resolve(ctx, 'instance', { instance: query.instance, project: query.project })
    const rows = ctx.tx.selectFrom('networkInterface').selectAll().where('instanceId', '=', instance.id)
    return mapPage(await pageByName(ctx, query, rows), nicView)
  },

  async instanceNetworkInterfaceView(ctx, { params, query }) {
    return nicView(await resolve(ctx, 'networkInterface', { ...params, ...query }))
  },
}

/** Makes the interfaces of a new instance, in their order. Throws 400, 404, 507. */
export async function createNics(
  ctx: Ctx,
  instance: Owner,
  wanted: Wanted,
): Promise<NetworkInterfaceTable[]> {
  const list = listOf(instance, wanted)
  const rows: NetworkInterfaceTable[] = []
  for (const one of list) {
    // Only here: a body's names mean nothing outside the instance's project.
    const place = { subnet: one.subnetName, vpc: one.vpcName, project: instance.projectId }
    const subnet = await resolve(ctx, 'vpcSubnet', place)
    rows.push(await createNic(ctx, { instance, subnet, slot: rows.length }, one))
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
  if (distinct('subnetName') !== list.length)
    throw fault.invalid('Each interface must be in a distinct VPC Subnet')
  const twice = list.find((one, i) => list.findIndex((other) => other.name === one.name) !== i)
  if (twice) throw fault.exists('instance-network-interface', twice.name)
}

interface Place {
  instance: Owner
  subnet: VpcSubnetTable
  slot: number
}

async function createNic(
  ctx: Ctx,
  { instance, subnet, slot }: Place,
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
    isPrimary: slot === 0 ? 1 : 0,
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
