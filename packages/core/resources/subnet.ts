/** Subnets of a VPC: one IPv4 and one IPv6 block each, and a route to them in the VPC's system router. */
import {
  boundsOf,
  contains,
  formatNet,
  isAligned,
  keyOf,
  overlaps,
  type Network,
} from '@purlin/contract/rules/ip'
import type { Ctx, Family } from '../context.ts'
import type { VpcSubnetTable, VpcTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve, resolveIn } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'
import { drawFree, netOf, randomBelow, reservedAddresses } from './addresses.ts'
import { renameInRules } from './firewall-rule.ts'

const view = (row: VpcSubnetTable) => ({
  ...headView(row),
  vpcId: row.vpcId,
  ipv4Block: row.ipv4Block,
  ipv6Block: row.ipv6Block,
  ...(row.customRouterId === null ? {} : { customRouterId: row.customRouterId }),
})

export const subnets: Family<
  'vpcSubnetList' | 'vpcSubnetCreate' | 'vpcSubnetView' | 'vpcSubnetUpdate' | 'vpcSubnetDelete'
> = {
  async vpcSubnetList(ctx, { query }) {
    const vpc = await resolve(ctx, 'vpc', { vpc: query.vpc, project: query.project })
    const rows = ctx.tx.selectFrom('vpcSubnet').selectAll().where('vpcId', '=', vpc.id)
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async vpcSubnetCreate(ctx, { query, body }) {
    const vpc = await resolve(ctx, 'vpc', query)
    const customRouterId = await findRouter(ctx, vpc.id, body.customRouter)
    return view(await createSubnet(ctx, vpc, { ...body, customRouterId }))
  },

  async vpcSubnetView(ctx, { params, query }) {
    return view(await resolve(ctx, 'vpcSubnet', { ...params, ...query }))
  },

  async vpcSubnetUpdate(ctx, { params, query, body }) {
    const row = await resolve(ctx, 'vpcSubnet', { ...params, ...query })
    // An absent router detaches, unlike every other absent key.
    const changes = {
      ...headChanges(ctx, body),
      customRouterId: await findRouter(ctx, row.vpcId, body.customRouter),
    }
    const after = { ...row, ...changes }
    const write = ctx.tx.updateTable('vpcSubnet').set(changes).where('id', '=', row.id).execute()
    await orExists('vpc-subnet', after.name, write)
    if (after.name !== row.name) await follow(ctx, row, after.name)
    return view(after)
  },

  async vpcSubnetDelete(ctx, { params, query }) {
    const row = await resolve(ctx, 'vpcSubnet', { ...params, ...query })
    const nic = await ctx.tx
      .selectFrom('networkInterface')
      .select('id')
      .where('subnetId', '=', row.id)
      .limit(1)
      .executeTakeFirst()
    if (nic) throw fault.invalid('VPC Subnet cannot be deleted while network interfaces in the subnet exist')
    const done = await ctx.tx
      .deleteFrom('vpcSubnet')
      .where('id', '=', row.id)
      .where('rcgen', '=', row.rcgen)
      .executeTakeFirst()
    if (done.numDeletedRows === 0n) throw fault.concurrentDelete()
    await ctx.tx.deleteFrom('routerRoute').where('subnetId', '=', row.id).execute()
    await ctx.tx.deleteFrom('freedAddress').where('spaceId', '=', row.id).execute()
  },
}

export interface NewSubnet {
  name: string
  description: string
  ipv4Block: string
  /** null or absent: a random free /64 of the VPC's prefix */
  ipv6Block?: string | null | undefined
  customRouterId?: string | null
}

/** Makes a subnet with its system route in a VPC that the caller has resolved. Throws 400, 507. */
export async function createSubnet(ctx: Ctx, vpc: VpcTable, from: NewSubnet): Promise<VpcSubnetTable> {
  const siblings = await ctx.tx
    .selectFrom('vpcSubnet')
    .select(['ipv4Block', 'ipv6Block'])
    .where('vpcId', '=', vpc.id)
    .execute()
  const taken = siblings.flatMap((one) => [netOf(one.ipv4Block), netOf(one.ipv6Block)])
  const ipv4 = checkIpv4(from.ipv4Block)
  const ipv6 = from.ipv6Block == null ? await drawIpv6(ctx, vpc, taken) : checkIpv6(vpc, from.ipv6Block)
  for (const net of [ipv4, ipv6])
    if (taken.some((other) => overlaps(net, other)))
      throw fault.invalid(`IP address range '${formatNet(net)}' conflicts with an existing subnet`)
  const row: VpcSubnetTable = {
    ...newHead(ctx, from),
    projectId: vpc.projectId,
    vpcId: vpc.id,
    ipv4Block: formatNet(ipv4),
    ipv6Block: formatNet(ipv6),
    customRouterId: from.customRouterId ?? null,
    nextKey: keyOf({ family: 4, value: ipv4.base.value + reservedAddresses }),
    rcgen: 0,
  }
  await orExists('vpc-subnet', row.name, ctx.tx.insertInto('vpcSubnet').values(row).execute())
  await addChild(ctx, 'vpc', vpc.id)
  await addRoute(ctx, vpc.systemRouterId, row)
  return row
}

const privateRanges = ['10.0.0.0/8', '172.16.0.0/12', '192.168.0.0/16'].map(netOf)

function checkIpv4(text: string): Network {
  const net = netOf(text)
  const { first, last } = boundsOf(net)
  const isPrivate = [first, last].every((value) =>
    privateRanges.some((range) => contains(range, { family: 4, value })),
  )
  if (!isPrivate) throw fault.invalid('VPC Subnet IPv4 address ranges must be from a private range')
  if (net.width < 8 || net.width > 26)
    throw fault.invalid('VPC Subnet IPv4 address ranges must have prefix length between 8 and 26, inclusive')
  if (!isAligned(net)) throw hasHostBits(text)
  return net
}

function checkIpv6(vpc: VpcTable, text: string): Network {
  const net = netOf(text)
  if (net.width !== 64 || !contains(netOf(vpc.ipv6Prefix), net.base))
    throw fault.invalid(
      `VPC Subnet IPv6 address range '${text}' is not valid for VPC with IPv6 prefix '${vpc.ipv6Prefix}'`,
    )
  if (!isAligned(net)) throw hasHostBits(text)
  return net
}

const hasHostBits = (text: string) =>
  fault.invalid(`IP address range '${text}' has a non-zero host identifier`)

/** The n-th /64 of a VPC's /48. */
export const nthIpv6Block = (vpc: Pick<VpcTable, 'ipv6Prefix'>, n: number): Network => ({
  base: { family: 6, value: boundsOf(netOf(vpc.ipv6Prefix)).first + (BigInt(n) << 64n) },
  width: 64,
})

async function drawIpv6(ctx: Ctx, vpc: VpcTable, taken: Network[]): Promise<Network> {
  const draw = () => nthIpv6Block(vpc, randomBelow(ctx, 2 ** 16))
  const net = await drawFree(draw, (one) => Promise.resolve(taken.some((other) => overlaps(one, other))))
  if (!net) throw fault.noCapacity('No free IPv6 range was found in the VPC')
  return net
}

async function findRouter(
  ctx: Ctx,
  vpcId: string,
  nameOrId: string | null | undefined,
): Promise<string | null> {
  if (nameOrId == null) return null
  const router = await resolveIn(ctx, 'vpcRouter', { value: nameOrId, parent: { vpc: vpcId } })
  if (router.vpcId !== vpcId)
    throw fault.invalid('a router can only be attached to a subnet when both belong to the same VPC')
  if (router.kind === 'system') throw fault.invalid('cannot attach a system router to a VPC subnet')
  return router.id
}

// The default routes own these names in the system router.
const routeNames = new Set(['default-v4', 'default-v6'])

function routeOf(subnetName: string, routeId: string) {
  const subnet = JSON.stringify({ type: 'subnet', value: subnetName })
  const name = routeNames.has(subnetName) ? `conflict-${subnetName}-${routeId}` : subnetName
  return { name, destinationJson: subnet, targetJson: subnet }
}

async function addRoute(ctx: Ctx, vpcRouterId: string, subnet: VpcSubnetTable): Promise<void> {
  const head = newHead(ctx, { name: subnet.name, description: `VPC Subnet route for '${subnet.name}'` })
  const row = {
    ...head,
    ...routeOf(subnet.name, head.id),
    projectId: subnet.projectId,
    vpcRouterId,
    kind: 'vpc_subnet',
    subnetId: subnet.id,
  } as const
  await ctx.tx.insertInto('routerRoute').values(row).execute()
}

/** Makes the subnet's system route and the VPC's firewall rules follow a new name. */
async function follow(ctx: Ctx, subnet: VpcSubnetTable, name: string): Promise<void> {
  const route = await ctx.tx
    .selectFrom('routerRoute')
    .select('id')
    .where('subnetId', '=', subnet.id)
    .executeTakeFirst()
  if (route)
    await ctx.tx
      .updateTable('routerRoute')
      .set({ ...routeOf(name, route.id), timeModified: ctx.now })
      .where('id', '=', route.id)
      .execute()
  await renameInRules(ctx, subnet.vpcId, { type: 'subnet', from: subnet.name, to: name })
}
