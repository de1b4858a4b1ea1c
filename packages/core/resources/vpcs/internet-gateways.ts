/** Internet gateways of a VPC, with the pools and addresses that packets may leave through them with. */
import { keysOf } from '@purlin/contract/rules/keys'
import { noteVpcOf } from '#/audit/touched.ts'
import { formatIp, fromKey, keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { resolveToRead } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type {
  InternetGatewayIpAddressTable,
  InternetGatewayIpPoolTable,
  InternetGatewayTable,
  Tx,
  VpcTable,
} from '#/db/tables.ts'
import { forgetTallies } from '#/db/rows/tallies.ts'
import { fault } from '#/faults.ts'
import { subnetIdsOf } from '#/network/rows.ts'
import { withAttached } from './gateway-attachments.ts'
import { plain, withDetails, type How } from '../kind/plain.ts'
import { deleteRoutes, hasRouteTo } from './router-routes.ts'
import { deleteRow, identityView, insertNamed, newIdentity, newTags } from '../kind/rows.ts'

const view = (row: Listed<'internetGateway'>) => ({ ...identityView(row), vpcId: row.vpcId })

const gateways = plain('internetGateway', { view, create, remove })

const pools = plain('internetGatewayIpPool', {
  view: (row: Listed<'internetGatewayIpPool'>) => ({
    ...identityView(row),
    internetGatewayId: row.internetGatewayId,
    ipPoolId: row.ipPoolId,
  }),
  create: attachPool,
  remove: detachPool,
})

const addresses = plain('internetGatewayIpAddress', {
  view: (row: Listed<'internetGatewayIpAddress'>) => ({
    ...identityView(row),
    internetGatewayId: row.internetGatewayId,
    address: formatIp(fromKey(row.ipKey)),
  }),
  create: attachAddress,
  remove: detachAddress,
})

export const internetGateways: Family<
  keyof typeof gateways.handlers | keyof typeof pools.handlers | keyof typeof addresses.handlers
> = {
  ...gateways.handlers,
  ...pools.handlers,
  ...addresses.handlers,
  async internetGatewayList(ctx, { query }) {
    if (!query.attached) return gateways.handlers.internetGatewayList(ctx, { query })
    return withAttached(ctx, await gateways.handlers.internetGatewayList(ctx, { query: withDetails(query) }))
  },
}

function create(
  ctx: Ctx,
  vpc: VpcTable,
  body: BodyOf<'internetGatewayCreate'>,
): Promise<InternetGatewayTable> {
  const row = { ...newIdentity(ctx, body), ...newTags(body), projectId: vpc.projectId, vpcId: vpc.id }
  ctx.wake(`networks ${vpc.id}`)
  return insertNamed(ctx, 'internetGateway', row)
}

const attached = { internetGatewayIpPool: 'Ip pools', internetGatewayIpAddress: 'Ip addresses' } as const
const attachedTables = keysOf(attached)
const howToCascade = 'To perform a cascading delete set the cascade option'

/** Deletes a gateway; with `cascade` also its attachments and the routes to it. Throws 400. */
async function remove(ctx: Ctx, row: InternetGatewayTable, { cascade }: How): Promise<void> {
  for (const table of attachedTables) {
    if (!cascade && (await hasAttached(ctx.tx, table, row.id)))
      throw fault.invalid(`${attached[table]} referencing this gateway exist. ${howToCascade}`)
    await ctx.tx.deleteFrom(table).where('internetGatewayId', '=', row.id).execute()
  }
  if (cascade) await deleteRoutes(ctx.tx, row.vpcId, { target: targetOf(row) })
  await forgetTallies(ctx.tx, row)
  await deleteRow('internetGateway')(ctx, row)
  ctx.wake(`networks ${row.vpcId}`)
}

const targetOf = ({ name }: { name: string }) => ({ type: 'internet_gateway', value: name }) as const

async function hasAttached(tx: Tx, table: keyof typeof attached, gatewayId: string): Promise<boolean> {
  const rows = tx.selectFrom(table).select('id').where('internetGatewayId', '=', gatewayId)
  return (await rows.limit(1).executeTakeFirst()) !== undefined
}

const inGateway = ({ id, projectId }: InternetGatewayTable) => ({ projectId, internetGatewayId: id })

/** Attaches a pool that is linked to the silo. Throws 404. */
async function attachPool(
  ctx: Ctx,
  gateway: InternetGatewayTable,
  body: BodyOf<'internetGatewayIpPoolCreate'>,
): Promise<InternetGatewayIpPoolTable> {
  const pool = await resolveToRead(ctx, 'ipPool', { pool: body.ipPool })
  const row = { ...newIdentity(ctx, body), ...inGateway(gateway), ipPoolId: pool.id }
  ctx.wake(`networks ${gateway.id}`)
  return insertNamed(ctx, 'internetGatewayIpPool', row)
}

/** Attaches any address: whether a pool has it does not matter. */
function attachAddress(
  ctx: Ctx,
  gateway: InternetGatewayTable,
  body: BodyOf<'internetGatewayIpAddressCreate'>,
): Promise<InternetGatewayIpAddressTable> {
  const address = parseIp(body.address)
  if (!address) throw new Error(`not an address: ${body.address}`)
  const row = { ...newIdentity(ctx, body), ...inGateway(gateway), ipKey: keyOf(address) }
  ctx.wake(`networks ${gateway.id}`)
  return insertNamed(ctx, 'internetGatewayIpAddress', row)
}

async function detachPool(ctx: Ctx, row: InternetGatewayIpPoolTable, { cascade }: How): Promise<void> {
  if (!cascade && (await isInUse(ctx.tx, row, { column: 'ipPoolId', value: row.ipPoolId })))
    throw fault.invalid(`VPC routes dependent on this IP pool. ${howToCascade}`)
  await deleteRow('internetGatewayIpPool')(ctx, row)
  await noteVpcOf(ctx, 'internetGateway', row.internetGatewayId)
  ctx.wake(`networks ${row.internetGatewayId}`)
}

async function detachAddress(ctx: Ctx, row: InternetGatewayIpAddressTable, { cascade }: How): Promise<void> {
  if (!cascade && (await isInUse(ctx.tx, row, { column: 'ipKey', value: row.ipKey })))
    throw fault.invalid(`VPC routes dependent on this IP address. ${howToCascade}`)
  await deleteRow('internetGatewayIpAddress')(ctx, row)
  await noteVpcOf(ctx, 'internetGateway', row.internetGatewayId)
  ctx.wake(`networks ${row.internetGatewayId}`)
}

/** True if the VPC has a route to the gateway, and an instance with an external address of the given kind. */
async function isInUse(
  tx: Tx,
  { internetGatewayId }: { internetGatewayId: string },
  { column, value }: { column: 'ipPoolId' | 'ipKey'; value: string },
): Promise<boolean> {
  const gateway = await tx
    .selectFrom('internetGateway')
    .select(['vpcId', 'name'])
    .where('id', '=', internetGatewayId)
    .executeTakeFirstOrThrow()
  if (!(await hasRouteTo(tx, gateway.vpcId, targetOf(gateway)))) return false
  const held = await tx
    .selectFrom('networkInterface')
    .innerJoin('externalIp', 'externalIp.instanceId', 'networkInterface.instanceId')
    .select('externalIp.id')
    .where('networkInterface.subnetId', 'in', subnetIdsOf(tx, gateway.vpcId))
    .where(`externalIp.${column}`, '=', value)
    .limit(1)
    .executeTakeFirst()
  return held !== undefined
}
