/** Subnets of a VPC: one IPv4 and one IPv6 block each, and a route to them in the VPC's system router. */
import { boundsOf, formatNet, keyOf, overlaps, type Network } from '@purlin/contract/rules/network/ip'
import {
  ipv4BlockProblem,
  ipv4BlockWidths,
  ipv6BlockProblem,
  type BlockProblem,
} from '@purlin/contract/rules/network/subnets'
import type { KindName } from '@purlin/contract/rules/kinds'
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import type { BodyOf, Ctx, InTransaction } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { VpcSubnetTable, VpcTable } from '#/db/tables.ts'
import { countMade } from '#/db/rows/tallies.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { resolve } from '#/auth/resolve.ts'
import {
  deleteContainer,
  identityChanges,
  identityView,
  insertNamed,
  keptChanges,
  newIdentity,
  newTags,
  updateNamed,
} from '../kind/rows.ts'
import { drawFree, netOf, randomBelow } from '../addresses/allocation.ts'
import { reservedAddresses } from '../addresses/private-addresses.ts'
import { renameInRules } from './firewall-references.ts'
import { deleteRoutes, renameInRoutes, storedWay } from './router-routes.ts'

const view = (row: Listed<'vpcSubnet'>) => ({
  ...identityView(row),
  vpcId: row.vpcId,
  ipv4Block: row.ipv4Block,
  ipv6Block: row.ipv6Block,
  ...(row.customRouterId === null ? {} : { customRouterId: row.customRouterId }),
})

export const subnets = plain('vpcSubnet', { view, create, update, remove }).handlers

async function create(ctx: Ctx, vpc: VpcTable, body: BodyOf<'vpcSubnetCreate'>): Promise<VpcSubnetTable> {
  ctx.wake(`networks ${vpc.id}`)
  return createSubnet(ctx, vpc, {
    ...body,
    customRouterId: await findRouter(ctx, vpc.id, body.customRouter),
  })
}

async function update(
  ctx: Ctx,
  row: VpcSubnetTable,
  body: BodyOf<'vpcSubnetUpdate'>,
): Promise<VpcSubnetTable> {
  const after = await updateNamed(ctx, ['vpcSubnet', row], {
    ...identityChanges(ctx, body),
    ...keptChanges(body),
    // An absent router detaches; all other absent fields keep their value.
    customRouterId: await findRouter(ctx, row.vpcId, body.customRouter),
  })
  if (after.name !== row.name) await renameRoute(ctx, row, after.name)
  ctx.wake(`networks ${row.vpcId}`)
  return after
}

async function remove(ctx: Ctx, row: VpcSubnetTable): Promise<void> {
  await deleteSubnet(ctx, row)
  ctx.wake(`networks ${row.vpcId}`)
}

/** Why a subnet cannot be deleted yet. No list of interfaces has that of a probe, so it is named. */
export const hasInterfaces = (child?: { kind: KindName; name: string }) =>
  fault.invalid(
    `VPC Subnet cannot be deleted while network interfaces in the subnet exist${child?.kind === 'probe' ? `, such as that of probe "${child.name}"` : ''}`,
  )

/** Deletes a subnet that no interface is in, with its route. Throws 400. */
export async function deleteSubnet(ctx: InTransaction, row: VpcSubnetTable): Promise<void> {
  await deleteContainer(ctx, ['vpcSubnet', row], hasInterfaces)
  await deleteRoutes(ctx.tx, row.vpcId, { subnetId: row.id })
  await ctx.tx.deleteFrom('freedAddress').where('spaceId', '=', row.id).execute()
}

export interface NewSubnet extends MayHaveTags {
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
    ...newIdentity(ctx, from),
    ...newTags(from),
    projectId: vpc.projectId,
    vpcId: vpc.id,
    ipv4Block: formatNet(ipv4),
    ipv6Block: formatNet(ipv6),
    customRouterId: from.customRouterId ?? null,
    nextKey: keyOf({ family: 4, value: ipv4.base.value + reservedAddresses }),
    rcgen: 0,
  }
  await insertNamed(ctx, 'vpcSubnet', row)
  await addRoute(ctx, vpc.systemRouterId, row)
  return row
}

function checkIpv4(text: string): Network {
  const net = netOf(text)
  const problem = ipv4BlockProblem(net)
  if (problem)
    throw ipv4Words[problem] === undefined ? fault.hostBits(text) : fault.invalid(ipv4Words[problem])
  return net
}
const { min, max } = ipv4BlockWidths
const ipv4Words: Partial<Record<BlockProblem, string>> = {
  private: 'VPC Subnet IPv4 address ranges must be from a private range',
  width: `VPC Subnet IPv4 address ranges must have prefix length between ${min} and ${max}, inclusive`,
}

function checkIpv6({ ipv6Prefix }: VpcTable, text: string): Network {
  const net = netOf(text)
  const problem = ipv6BlockProblem(net, ipv6Prefix)
  if (problem === 'host') throw fault.hostBits(text)
  if (problem)
    throw fault.invalid(
      `VPC Subnet IPv6 address range '${text}' is not valid for VPC with IPv6 prefix '${ipv6Prefix}'`,
    )
  return net
}

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
  const router = await resolve(ctx, 'vpcRouter', { router: nameOrId, within: { vpc: vpcId } })
  if (router.vpcId !== vpcId)
    throw fault.invalid('a router can only be attached to a subnet when both belong to the same VPC')
  if (router.kind === 'system') throw fault.invalid('cannot attach a system router to a VPC subnet')
  return router.id
}

// The default routes of the system router have these names.
const routeNames = new Set(['default-v4', 'default-v6'])

function routeOf(subnetName: string, routeId: string) {
  const subnet = storedWay({ type: 'subnet', value: subnetName })
  const name = routeNames.has(subnetName) ? `conflict-${subnetName}-${routeId}` : subnetName
  return { name, destinationJson: subnet, targetJson: subnet }
}

async function addRoute(ctx: Ctx, vpcRouterId: string, subnet: VpcSubnetTable): Promise<void> {
  const identity = newIdentity(ctx, {
    name: subnet.name,
    description: `VPC Subnet route for '${subnet.name}'`,
  })
  const row = {
    ...identity,
    ...routeOf(subnet.name, identity.id),
    projectId: subnet.projectId,
    vpcRouterId,
    kind: 'vpc_subnet',
    subnetId: subnet.id,
  } as const
  await ctx.tx.insertInto('routerRoute').values(row).execute()
  await countMade(ctx.tx, [['vpcRouterRoute', row]])
}

/** Renames the subnet's system route and its references in the VPC's firewall rules and custom routes. */
async function renameRoute(ctx: Ctx, subnet: VpcSubnetTable, name: string): Promise<void> {
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
  await renameInRoutes(ctx, subnet.vpcId, { type: 'subnet', from: subnet.name, to: name })
}
