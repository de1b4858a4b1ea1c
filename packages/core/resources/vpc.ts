/** VPCs: private networks, isolated from each other. A new one is complete: see `furnish`. */
import { formatNet, isAligned, parseNet, type Network } from '@purlin/contract/rules/ip'
import type { Ctx, Family } from '../context.ts'
import type { VpcTable } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { resolve } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'
import { drawFree, randomBelow } from './addresses.ts'
import { createDefaultRules, renameInRules } from './firewall-rule.ts'
import { defaultPoolOrNull } from './pool-addresses.ts'
import { createSubnet, nthIpv6Block } from './subnet.ts'

const view = (row: VpcTable) => ({
  ...headView(row),
  projectId: row.projectId,
  systemRouterId: row.systemRouterId,
  ipv6Prefix: row.ipv6Prefix,
  dnsName: row.dnsName,
})

export const vpcs: Family<'vpcList' | 'vpcCreate' | 'vpcView' | 'vpcUpdate' | 'vpcDelete'> = {
  async vpcList(ctx, { query }) {
    const project = await resolve(ctx, 'project', { project: query.project })
    const rows = ctx.tx.selectFrom('vpc').selectAll().where('projectId', '=', project.id)
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async vpcCreate(ctx, { query, body }) {
    return view(await createVpc(ctx, await resolve(ctx, 'project', query), body))
  },

  async vpcView(ctx, { params, query }) {
    return view(await resolve(ctx, 'vpc', { ...params, ...query }))
  },

  async vpcUpdate(ctx, { params, query, body }) {
    const row = await resolve(ctx, 'vpc', { ...params, ...query })
    const changes = { ...headChanges(ctx, body), ...(body.dnsName == null ? {} : { dnsName: body.dnsName }) }
    const after = { ...row, ...changes }
    const write = ctx.tx.updateTable('vpc').set(changes).where('id', '=', row.id).execute()
    await orExists('vpc', after.name, write)
    if (after.name !== row.name)
      await renameInRules(ctx, row.id, { type: 'vpc', from: row.name, to: after.name })
    return view(after)
  },

  async vpcDelete(ctx, { params, query }) {
    const row = await resolve(ctx, 'vpc', { ...params, ...query })
    const subnet = await ctx.tx
      .selectFrom('vpcSubnet')
      .select('id')
      .where('vpcId', '=', row.id)
      .limit(1)
      .executeTakeFirst()
    if (subnet) throw fault.invalid('VPC cannot be deleted while VPC Subnets exist')
    const done = await ctx.tx
      .deleteFrom('vpc')
      .where('id', '=', row.id)
      .where('rcgen', '=', row.rcgen)
      .executeTakeFirst()
    if (done.numDeletedRows === 0n) throw fault.concurrentDelete()
    await clear(ctx, row.id)
  },
}

export interface NewVpc {
  name: string
  description: string
  dnsName: string
  /** null or absent: a random one */
  ipv6Prefix?: string | null | undefined
}

/** Makes a VPC with everything in it, in a project that the caller may change. Throws 400, 507. */
export async function createVpc(ctx: Ctx, project: { id: string }, from: NewVpc): Promise<VpcTable> {
  const row: VpcTable = {
    ...newHead(ctx, from),
    projectId: project.id,
    vni: await takeVni(ctx),
    systemRouterId: ctx.world.ids.uuid(),
    ipv6Prefix: formatNet(from.ipv6Prefix == null ? randomPrefix(ctx) : checkPrefix(from.ipv6Prefix)),
    dnsName: from.dnsName,
    rcgen: 0,
  }
  await orExists('vpc', row.name, ctx.tx.insertInto('vpc').values(row).execute())
  await addChild(ctx, 'project', project.id)
  await furnish(ctx, row)
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
  if (!net || net.width !== 48 || !isAligned(net) || net.base.value >> 120n !== 0xfdn)
    throw fault.invalid('VPC IPv6 prefixes must be a unique-local /48, i.e. fdXX:XXXX:XXXX::/48')
  return net
}

/** What every VPC begins with: a router with default routes, a subnet, firewall rules and a way out. */
async function furnish(ctx: Ctx, vpc: VpcTable): Promise<void> {
  const inVpc = { projectId: vpc.projectId, vpcId: vpc.id }
  const router = newHead(ctx, {
    name: 'system',
    description: 'Routes are automatically added to this router as VPC subnets are created',
  })
  await ctx.tx
    .insertInto('vpcRouter')
    .values({ ...router, id: vpc.systemRouterId, ...inVpc, kind: 'system' })
    .execute()
  await addDefaultRoutes(ctx, vpc)
  await createSubnet(ctx, vpc, {
    name: 'default',
    description: `The default subnet for ${vpc.name}`,
    ipv4Block: '172.30.0.0/22',
    ipv6Block: formatNet(nthIpv6Block(vpc, 0)),
  })
  await createDefaultRules(ctx, vpc)
  const gateway = { ...newHead(ctx, { name: 'default', description: 'Default VPC gateway' }), ...inVpc }
  await ctx.tx.insertInto('internetGateway').values(gateway).execute()
  const pool = await defaultPoolOrNull(ctx)
  if (!pool) return
  const attachment = newHead(ctx, { name: 'default', description: 'Default internet gateway IP pool' })
  const link = { ...attachment, projectId: vpc.projectId, internetGatewayId: gateway.id, ipPoolId: pool.id }
  await ctx.tx.insertInto('internetGatewayIpPool').values(link).execute()
}

async function addDefaultRoutes(ctx: Ctx, vpc: VpcTable): Promise<void> {
  const route = (name: string, destination: string) => ({
    ...newHead(ctx, { name, description: 'The default route of a vpc' }),
    projectId: vpc.projectId,
    vpcRouterId: vpc.systemRouterId,
    kind: 'default' as const,
    destinationJson: JSON.stringify({ type: 'ip_net', value: destination }),
    targetJson: JSON.stringify({ type: 'internet_gateway', value: 'default' }),
    subnetId: null,
  })
  await ctx.tx
    .insertInto('routerRoute')
    .values([route('default-v4', '0.0.0.0/0'), route('default-v6', '::/0')])
    .execute()
}

/** Deletes all that a VPC holds, custom routers and gateways included. */
async function clear(ctx: Ctx, vpcId: string): Promise<void> {
  const { tx } = ctx
  const routers = tx.selectFrom('vpcRouter').select('id').where('vpcId', '=', vpcId)
  const gateways = tx.selectFrom('internetGateway').select('id').where('vpcId', '=', vpcId)
  await tx.deleteFrom('routerRoute').where('vpcRouterId', 'in', routers).execute()
  await tx.deleteFrom('internetGatewayIpPool').where('internetGatewayId', 'in', gateways).execute()
  for (const table of ['vpcRouter', 'internetGateway', 'vpcFirewallRule'] as const)
    await tx.deleteFrom(table).where('vpcId', '=', vpcId).execute()
}
