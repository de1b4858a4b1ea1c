/** Network interfaces of instances: each has one private address in a subnet; the first is primary. */
import type { InstanceCreate } from '@purlin/contract/operations/instances/instances'
import type { Out } from '@purlin/contract/schema'
import { formatIp, fromKey } from '@purlin/contract/rules/network/ip'
import { instanceAnswer } from '@purlin/contract/rules/states'
import { limits } from '@purlin/contract/rules/limits'
import { together } from '#/concurrency/together.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { InstanceTable, NetworkInterfaceTable, VpcSubnetTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageByNameAndId } from '#/db/lists/pages.ts'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import { identityChanges, identityView, insertChild, newIdentity, updateNamed } from '../kind/rows.ts'
import { plain } from '../kind/plain.ts'
import { formatMac } from '#/network/mac.ts'
import { releasePrivateIp, takeMac, takePrivateIp } from '../addresses/private-addresses.ts'
import { completeSnat } from '../addresses/external-ips.ts'
import { changeInstance } from '../instances/change.ts'
import { checkTransitIps } from '../addresses/transit-ips.ts'
import { transitIpsIn } from '#/network/references.ts'

type Owner = Pick<InstanceTable, 'id' | 'name' | 'projectId'>
type RequestedNics = Out<typeof InstanceCreate>['networkInterfaces']
type NewNic = Extract<RequestedNics, { type: 'create' }>['params'][number]

/** An interface as clients see it. */
const nicView = (row: Listed<'networkInterface'>) => ({
  ...identityView(row),
  instanceId: row.instanceId,
  vpcId: row.vpcId,
  subnetId: row.subnetId,
  mac: formatMac(row.mac),
  ip: formatIp(fromKey(row.ipKey)),
  primary: row.isPrimary === 1,
  transitIps: transitIpsIn(row),
})

const nic = plain('networkInterface', { view: nicView, create, update, remove })

export const networkInterfaces: Family<
  | 'instanceNetworkInterfaceList'
  | 'instanceNetworkInterfaceCreate'
  | 'instanceNetworkInterfaceView'
  | 'instanceNetworkInterfaceUpdate'
  | 'instanceNetworkInterfaceDelete'
  | 'vpcSubnetListNetworkInterfaces'
> = {
  ...nic.handlers,

  async vpcSubnetListNetworkInterfaces(ctx, { params, query }) {
    const subnet = await resolve(ctx, 'vpcSubnet', { ...params, ...query })
    const rows = ctx.tx
      .selectFrom('networkInterface')
      .where('subnetId', '=', subnet.id)
      .where('owner', '=', 'instance')
    return mapPage(await pageByNameAndId(ctx, query, { rows, table: 'networkInterface' }), nicView)
  },
}

async function create(ctx: Ctx, instance: InstanceTable, body: NewNic): Promise<NetworkInterfaceTable> {
  if (instanceAnswer('updateNic', instance.runState) === 'refuse')
    throw fault.invalid('Instance must be stopped to attach a new network interface')
  const subnet = await findSubnet(ctx, instance, body)
  const siblings = await nicsOf(ctx, instance.id)
  checkJoins(siblings, subnet, body.name)
  const slots = new Set(siblings.map((one) => one.slot))
  const slot = range(limits.instance.nics).find((i) => !slots.has(i)) ?? 0
  const isPrimary = siblings.length === 0
  const row = await createNic(ctx, { instance, subnet, slot, isPrimary }, body)
  if (isPrimary) await completeSnat(ctx, instance)
  ctx.wake(`networks ${row.vpcId}`)
  await touch(ctx, instance)
  return row
}

async function update(
  ctx: Ctx,
  row: NetworkInterfaceTable,
  body: BodyOf<'instanceNetworkInterfaceUpdate'>,
): Promise<NetworkInterfaceTable> {
  const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
  if (instanceAnswer('updateNic', instance.runState) === 'refuse')
    throw fault.invalid('Instance must be stopped to update its network interfaces')
  const transitIpsJson = JSON.stringify(checkTransitIps(body.transitIps))
  if (body.primary && row.isPrimary === 0) await demotePrimary(ctx, instance.id)
  const isPrimary = body.primary ? 1 : row.isPrimary
  const changes = { ...identityChanges(ctx, body), transitIpsJson, isPrimary }
  const after = await updateNamed(ctx, ['networkInterface', row], changes)
  await touch(ctx, instance)
  ctx.wake(`networks ${row.vpcId}`)
  return after
}

async function remove(ctx: Ctx, row: NetworkInterfaceTable): Promise<void> {
  const instance = await resolveToRead(ctx, 'instance', { instance: row.instanceId })
  if (instanceAnswer('removeNic', instance.runState) === 'refuse')
    throw fault.invalid('Instance must be stopped or failed to detach a network interface')
  if (row.isPrimary === 1 && (await nicsOf(ctx, instance.id)).length > 1)
    throw fault.invalid(
      'The primary interface may not be deleted while secondary interfaces are still attached',
    )
  await ctx.tx.deleteFrom('networkInterface').where('id', '=', row.id).execute()
  await releasePrivateIp(ctx, row)
  await touch(ctx, instance)
  ctx.wake(`networks ${row.vpcId}`)
}

const range = (count: number) => Array.from({ length: count }, (_, i) => i)

const nicsOf = (ctx: Pick<Ctx, 'tx'>, instanceId: string): Promise<NetworkInterfaceTable[]> =>
  ctx.tx.selectFrom('networkInterface').selectAll().where('instanceId', '=', instanceId).execute()

// The instance's generation grows too, so that a concurrent start fails.
const touch = (ctx: Ctx, instance: InstanceTable) =>
  changeInstance(ctx.tx, instance, { now: ctx.now, set: {} })

// The names in the body are resolved in the instance's project.
const findSubnet = (ctx: Ctx, instance: Owner, { vpcName, subnetName }: NewNic): Promise<VpcSubnetTable> =>
  resolve(ctx, 'vpcSubnet', { subnet: subnetName, vpc: vpcName, project: instance.projectId })

/** Throws 400 for an interface that conflicts with the instance's other interfaces. */
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

/** Creates the interfaces of a new instance, in the requested order. Throws 400, 404, 507. */
export async function createNics(
  ctx: Ctx,
  instance: Owner,
  requested: RequestedNics,
): Promise<NetworkInterfaceTable[]> {
  const list = listOf(instance, requested)
  const rows: NetworkInterfaceTable[] = []
  for (const one of list) {
    const subnet = await findSubnet(ctx, instance, one)
    const slot = rows.length
    rows.push(await createNic(ctx, { instance, subnet, slot, isPrimary: slot === 0 }, one))
  }
  wakeNetworkOf(ctx, rows)
  return rows
}

function listOf(instance: Owner, requested: RequestedNics): NewNic[] {
  switch (requested.type) {
    case 'none':
      return []
    case 'default': {
      const description = `default primary interface for ${instance.name}`
      return [{ name: 'net0', description, vpcName: 'default', subnetName: 'default', transitIps: [] }]
    }
    case 'create':
      checkList(requested.params)
      return requested.params
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

interface NicPlacement {
  instance: Owner
  subnet: VpcSubnetTable
  slot: number
  isPrimary: boolean
}

const createNic = async (ctx: Ctx, at: NicPlacement, from: NewNic): Promise<NetworkInterfaceTable> =>
  insertChild(ctx, 'networkInterface', { ...(await allocated(ctx, at, from)), owner: 'instance' })

/** The only interface of a new probe, with the lowest free address of the subnet. Throws 400, 507. */
export async function createProbeNic(ctx: Ctx, probe: Owner, subnet: VpcSubnetTable): Promise<void> {
  const from = { name: 'net0', description: `interface for probe ${probe.name}`, transitIps: [] }
  const nic = await allocated(ctx, { instance: probe, subnet, slot: 0, isPrimary: true }, from)
  // The probe prevents the deletion of the subnet, and is what people see of the interface.
  await insertRow(ctx.tx, 'networkInterface', { ...nic, owner: 'probe' })
  wakeNetworkOf(ctx, [nic])
}

/** A new interface with its addresses. */
async function allocated(
  ctx: Ctx,
  { instance, subnet, slot, isPrimary }: NicPlacement,
  from: Omit<NewNic, 'vpcName' | 'subnetName'>,
): Promise<Omit<NetworkInterfaceTable, 'owner'>> {
  const transitIps = checkTransitIps(from.transitIps)
  const [mac, ipKey] = await together([takeMac(ctx, subnet.vpcId), takePrivateIp(ctx, subnet, from.ip)])
  return {
    ...newIdentity(ctx, from),
    projectId: instance.projectId,
    instanceId: instance.id,
    vpcId: subnet.vpcId,
    subnetId: subnet.id,
    mac,
    ipKey,
    slot,
    isPrimary: isPrimary ? 1 : 0,
    transitIpsJson: JSON.stringify(transitIps),
  }
}

/** Deletes the interfaces of an instance or a probe that is deleted, and releases their addresses. */
export async function deleteNics(ctx: Pick<Ctx, 'tx' | 'wake'>, instanceId: string): Promise<void> {
  const rows = await ctx.tx
    .selectFrom('networkInterface')
    .select(['subnetId', 'ipKey', 'vpcId'])
    .where('instanceId', '=', instanceId)
    .execute()
  await ctx.tx.deleteFrom('networkInterface').where('instanceId', '=', instanceId).execute()
  for (const row of rows) await releasePrivateIp(ctx, row)
  wakeNetworkOf(ctx, rows)
}

/** An instance or a probe is in one VPC, if it has interfaces. */
function wakeNetworkOf(ctx: Pick<Ctx, 'wake'>, [first]: readonly { vpcId: string }[]): void {
  if (first) ctx.wake(`networks ${first.vpcId}`)
}
