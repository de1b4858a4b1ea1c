/** VPCs: private networks, isolated from each other. A new one is complete: see `createDefaults`. */
import type { MayHaveTags } from '@purlin/contract/rules/tags'
import { formatNet, parseNet, type Network } from '@purlin/contract/rules/network/ip'
import { vpcPrefixProblem } from '@purlin/contract/rules/network/vpc-prefix'
import type { BodyOf, Ctx, Family, InTransaction } from '#/context.ts'
import { firstChild } from '#/db/kinds.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type {
  InternetGatewayIpPoolTable,
  InternetGatewayTable,
  RouterRouteTable,
  Tx,
  VpcRouterTable,
  VpcTable,
} from '#/db/tables.ts'
import { addToSearch } from '#/db/lists/search-index.ts'
import { countMade } from '#/db/rows/tallies.ts'
import { fault } from '#/faults.ts'
import { plain, withDetails, type How } from '../kind/plain.ts'
import {
  deleteContainer,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  keptChanges,
  refuseProtected,
  updateNamed,
  newKept,
} from '../kind/rows.ts'
import { drawFree, randomBelow } from '../addresses/allocation.ts'
import { createDefaultRules, defaultRules, withRuleCounts } from './firewall-rules.ts'
import { renameInRules } from './firewall-references.ts'
import { attachmentOf, defaultAttachment, defaultGateway } from '../addresses/gateway-pools.ts'
import { defaultPoolOrNull } from '../addresses/pool-addresses.ts'
import { routersOf, storedWay } from './router-routes.ts'
import { createSubnet, deleteSubnet, nthIpv6Block } from './vpc-subnets.ts'

const view = (row: Listed<'vpc'>) => ({
  ...identityView(row),
  projectId: row.projectId,
  systemRouterId: row.systemRouterId,
  ipv6Prefix: row.ipv6Prefix,
  dnsName: row.dnsName,
})

const { handlers } = plain('vpc', { view, create: createVpc, update, remove: deleteVpc })

export const vpcs: Family<keyof typeof handlers> = {
  ...handlers,
  async vpcList(ctx, { query }) {
    if (!query.totalFirewallRules) return handlers.vpcList(ctx, { query })
    return withRuleCounts(ctx, await handlers.vpcList(ctx, { query: withDetails(query) }))
  },
}

async function update(ctx: Ctx, row: VpcTable, body: BodyOf<'vpcUpdate'>): Promise<VpcTable> {
  const changes = {
    ...identityChanges(ctx, body),
    ...keptChanges(body),
    ...(body.dnsName == null ? {} : { dnsName: body.dnsName }),
  }
  const after = await updateNamed(ctx, ['vpc', row], changes)
  if (after.name !== row.name)
    await renameInRules(ctx, row.id, { type: 'vpc', from: row.name, to: after.name })
  if (after.dnsName !== row.dnsName) ctx.wake(`networks ${row.id}`)
  return after
}

export interface NewVpc extends MayHaveTags {
  name: string
  description: string
  dnsName: string
  /** null or absent: a random one */
  ipv6Prefix?: string | null | undefined
}

/** Creates a VPC and its contents in a project that the caller may change. Throws 400, 507. */
export async function createVpc(ctx: Ctx, project: { id: string }, from: NewVpc): Promise<VpcTable> {
  const row: VpcTable = {
    ...newIdentity(ctx, from),
    projectId: project.id,
    vni: await takeVni(ctx),
    systemRouterId: ctx.world.ids.uuid(),
    ipv6Prefix: formatNet(from.ipv6Prefix == null ? randomPrefix(ctx) : checkPrefix(from.ipv6Prefix)),
    dnsName: from.dnsName,
    rcgen: 0,
    ...newKept(from),
  }
  await insertNamed(ctx, 'vpc', row)
  await createDefaults(ctx, row)
  return row
}

const vnis = { first: 1024, last: 16_777_215 }

async function takeVni(ctx: Ctx): Promise<number> {
  const vni = await drawFree(
    () => vnis.first + randomBelow(ctx, vnis.last - vnis.first + 1),
    async (value) => {
      const holder = await ctx.tx.selectFrom('vpc').select('id').where('vni', '=', value).executeTakeFirst()
      return holder !== undefined
    },
  )
  if (vni === null) throw fault.noCapacity('No free virtual network was found')
  return vni
}

// RFC 4193: fd, then 40 random bits.
function randomPrefix(ctx: Ctx): Network {
  const value = ctx.world.ids.bytes(5).reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0xfdn)
  return { base: { family: 6, value: value << 80n }, width: 48 }
}

function checkPrefix(text: string): Network {
  const net = parseNet(text)
  if (!net || vpcPrefixProblem(text))
    throw fault.invalid('VPC IPv6 prefixes must be a unique-local /48, i.e. fdXX:XXXX:XXXX::/48')
  return net
}

/** The VPC that a project begins with. */
export const defaultVpc = { name: 'default', description: 'Default VPC', dnsName: 'default' }

/** The subnet that a VPC begins with. */
export const defaultSubnet = 'default'

/** The names of what every VPC begins with. */
const contents = {
  vpcRouter: ['system'],
  vpcSubnet: [defaultSubnet],
  vpcFirewallRule: defaultRules,
  internetGateway: [defaultGateway],
  internetGatewayIpPool: [defaultAttachment],
  internetGatewayIpAddress: [],
} as const

/** Creates what every VPC begins with: a router with default routes, a subnet, firewall rules and a gateway. */
async function createDefaults(ctx: Ctx, vpc: VpcTable): Promise<void> {
  const inVpc = { projectId: vpc.projectId, vpcId: vpc.id }
  const router: VpcRouterTable = {
    ...newIdentity(ctx, {
      name: contents.vpcRouter[0],
      description: 'Routes are automatically added to this router as VPC subnets are created',
    }),
    id: vpc.systemRouterId,
    ...inVpc,
    tagsJson: null,
    kind: 'system',
  }
  await ctx.tx.insertInto('vpcRouter').values(router).execute()
  const routes = defaultRoutes(ctx, vpc)
  await ctx.tx.insertInto('routerRoute').values(routes).execute()
  await createSubnet(ctx, vpc, {
    name: contents.vpcSubnet[0],
    description: `The default subnet for ${vpc.name}`,
    ipv4Block: '172.30.0.0/22',
    ipv6Block: formatNet(nthIpv6Block(vpc, 0)),
  })
  await createDefaultRules(ctx, vpc)
  const gateway = {
    ...newIdentity(ctx, { name: contents.internetGateway[0], description: 'Default VPC gateway' }),
    ...inVpc,
    tagsJson: null,
  }
  await ctx.tx.insertInto('internetGateway').values(gateway).execute()
  await addToSearch(ctx.tx, 'vpcRouter', router)
  await addToSearch(ctx.tx, 'internetGateway', gateway)
  const pools = await attachDefaultPool(ctx, gateway)
  await countMade(ctx.tx, [
    ['vpcRouter', router],
    ...routes.map((route) => ['vpcRouterRoute', route] as const),
    ['internetGateway', gateway],
    ...pools.map((pool) => ['internetGatewayIpPool', pool] as const),
  ])
}

async function attachDefaultPool(
  ctx: Ctx,
  gateway: InternetGatewayTable,
): Promise<InternetGatewayIpPoolTable[]> {
  const pool = await defaultPoolOrNull(ctx)
  if (!pool) return []
  const attachment = attachmentOf(ctx, gateway, { poolId: pool.id })
  await ctx.tx.insertInto('internetGatewayIpPool').values(attachment).execute()
  return [attachment]
}

function defaultRoutes(ctx: Ctx, vpc: VpcTable): RouterRouteTable[] {
  const route = (name: string, value: string): RouterRouteTable => ({
    ...newIdentity(ctx, { name, description: 'The default route of a vpc' }),
    projectId: vpc.projectId,
    vpcRouterId: vpc.systemRouterId,
    kind: 'default',
    destinationJson: storedWay({ type: 'ip_net', value }),
    targetJson: storedWay({ type: 'internet_gateway', value: contents.internetGateway[0] }),
    subnetId: null,
  })
  return [route('default-v4', '0.0.0.0/0'), route('default-v6', '::/0')]
}

/**
 * Deletes a VPC without subnets and all else that is in it, custom routers and gateways included; with `cascade` also its
 * subnets. Throws 400.
 */
async function deleteVpc(ctx: InTransaction, row: VpcTable, { cascade }: How = {}): Promise<void> {
  if (cascade) await deleteSubnets(ctx, row)
  await deleteContainer(ctx, ['vpc', row], () =>
    fault.invalid('VPC cannot be deleted while VPC Subnets exist'),
  )
  const { tx } = ctx
  const vpcId = row.id
  const [routers, gateways] = [routersOf(tx, vpcId), gatewaysOf(tx, vpcId)]
  await tx
    .deleteFrom('tally')
    .where((eb) => eb.or([eb('holderId', 'in', routers), eb('holderId', 'in', gateways)]))
    .execute()
  await tx.deleteFrom('routerRoute').where('vpcRouterId', 'in', routers).execute()
  for (const table of ['internetGatewayIpPool', 'internetGatewayIpAddress'] as const)
    await tx.deleteFrom(table).where('internetGatewayId', 'in', gateways).execute()
  for (const table of ['vpcRouter', 'internetGateway', 'vpcFirewallRule', 'vpcNetwork'] as const)
    await tx.deleteFrom(table).where('vpcId', '=', vpcId).execute()
}

/** Deletes the subnets of a VPC. Throws 400, naming the owner of an interface in one of them. */
async function deleteSubnets(ctx: InTransaction, { id }: VpcTable): Promise<void> {
  const user = await ctx.tx
    .selectFrom('networkInterface')
    .leftJoin('instance', 'instance.id', 'networkInterface.instanceId')
    .leftJoin('probe', 'probe.id', 'networkInterface.instanceId')
    .select(['owner', 'instance.name as instance', 'probe.name as probe'])
    .where('networkInterface.vpcId', '=', id)
    .orderBy('networkInterface.id')
    .limit(1)
    .executeTakeFirst()
  if (user)
    throw fault.invalid(
      `VPC cannot be deleted while ${user.owner} "${user.instance ?? user.probe ?? ''}" has a network interface in it`,
    )
  const subnets = await ctx.tx.selectFrom('vpcSubnet').selectAll().where('vpcId', '=', id).execute()
  for (const subnet of subnets) await deleteSubnet(ctx, subnet)
}

const gatewaysOf = (tx: Tx, vpcId: string) =>
  tx.selectFrom('internetGateway').select('id').where('vpcId', '=', vpcId)

/** Deletes the VPC that a project began with, if it is the only one and is unchanged. */
export async function deleteUntouchedDefaultVpc(ctx: InTransaction, projectId: string): Promise<void> {
  const { tx } = ctx
  const vpcs = await tx.selectFrom('vpc').selectAll().where('projectId', '=', projectId).limit(2).execute()
  const [vpc] = vpcs
  if (!vpc || vpcs.length > 1 || vpc.name !== defaultVpc.name || (await wasAddedTo(tx, vpc.id))) return
  const subnets = await tx.selectFrom('vpcSubnet').selectAll().where('vpcId', '=', vpc.id).execute()
  // The owner of an interface is in the project: the refusal names it rather than the subnet.
  for (const { id } of subnets) if (await firstChild(tx, 'vpcSubnet', id)) return
  refuseProtected('vpc', vpc)
  for (const subnet of subnets) await deleteSubnet(ctx, subnet)
  await deleteVpc(ctx, vpc)
}

async function wasAddedTo(tx: Tx, vpcId: string): Promise<boolean> {
  for (const table of ['vpcRouter', 'vpcSubnet', 'vpcFirewallRule', 'internetGateway'] as const) {
    const rows = tx.selectFrom(table).select('id').where('vpcId', '=', vpcId)
    if (await rows.where('name', 'not in', contents[table]).limit(1).executeTakeFirst()) return true
  }
  for (const table of ['internetGatewayIpPool', 'internetGatewayIpAddress'] as const) {
    const rows = tx.selectFrom(table).select('name').where('internetGatewayId', 'in', gatewaysOf(tx, vpcId))
    const names: readonly string[] = contents[table]
    const found = await rows.limit(names.length + 1).execute()
    if (found.some(({ name }) => !names.includes(name))) return true
  }
  return false
}
