/**
 * Routes of a router. They refer to subnets, instances and gateways by name; one whose names do not exist is stored
 * and has no effect. Destination and target are stored as one text for each meaning, so that they can be compared.
 */
import { noteVpcOf } from '#/audit/touched.ts'
import { bitsOf, formatIp, formatNet, isAligned, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import { changeableOf, familyOf, mixesFamilies } from '@purlin/contract/rules/network/routes'
import type { BodyOf, Ctx } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import type { RouterRouteTable, Tx, VpcRouterTable } from '#/db/tables.ts'
import { countDeleted } from '#/db/rows/tallies.ts'
import { fault } from '#/faults.ts'
import type { VpcRows } from '#/network/rows.ts'
import { wayIn, type Destination, type Target } from '#/network/references.ts'
import { plain } from '../kind/plain.ts'
import {
  deleteRow,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'

type Kind = RouterRouteTable['kind']

const view = (row: Listed<'routerRoute'>) => ({
  ...identityView(row),
  vpcRouterId: row.vpcRouterId,
  kind: row.kind,
  ...wayIn(row),
})

export const routes = plain('vpcRouterRoute', { view, create, update, remove }).handlers

async function create(
  ctx: Ctx,
  router: VpcRouterTable,
  body: BodyOf<'vpcRouterRouteCreate'>,
): Promise<RouterRouteTable> {
  const row = rowOf(ctx, router, body)
  await insertNamed(ctx, 'vpcRouterRoute', row)
  await checkDistinct(ctx.tx, row, body.destination)
  ctx.wake(`networks ${row.vpcRouterId}`)
  return row
}

/** Throws 400 for a system router and for a pair that users cannot specify. */
function rowOf(
  ctx: Pick<Ctx, 'world' | 'now'>,
  router: VpcRouterTable,
  body: BodyOf<'vpcRouterRouteCreate'>,
): RouterRouteTable {
  if (router.kind === 'system') throw fault.invalid('user-provided routes cannot be added to a system router')
  return {
    ...newIdentity(ctx, body),
    ...checkWay('custom', body),
    projectId: router.projectId,
    vpcRouterId: router.id,
    kind: 'custom',
    subnetId: null,
  }
}

async function update(
  ctx: Ctx,
  row: RouterRouteTable,
  body: BodyOf<'vpcRouterRouteUpdate'>,
): Promise<RouterRouteTable> {
  const way = changedWay(row, body)
  const isMoved = way.destinationJson !== row.destinationJson
  const after = await updateNamed(ctx, ['vpcRouterRoute', row], { ...identityChanges(ctx, body), ...way })
  if (isMoved) await checkDistinct(ctx.tx, after, body.destination)
  await noteVpcOf(ctx, 'vpcRouter', row.vpcRouterId)
  ctx.wake(`networks ${row.vpcRouterId}`)
  return after
}

/** Throws 400 for what cannot be changed of a route of its kind, and for a pair that users cannot specify. */
function changedWay(row: RouterRouteTable, body: BodyOf<'vpcRouterRouteUpdate'>) {
  if (changeableOf[row.kind] === 'nothing')
    throw fault.invalid(`routes of type ${kindWord[row.kind]} within the system router are not modifiable`)
  const way = checkWay(row.kind, body)
  const isMoved = way.destinationJson !== row.destinationJson
  if (changeableOf[row.kind] === 'target' && (isMoved || body.name != null || body.description != null))
    throw fault.invalid('the destination and metadata of a Default route cannot be changed')
  return way
}

interface SetRoute {
  routerId: string
  /** of the route that is changed; a new one without it */
  id?: string | null | undefined
  name: string
  destination: Destination
  target: Target
}

/** The routes of a VPC with a new or changed one as the last. Throws 400 as storing it would, 404. */
export function routesWith(
  ctx: Pick<Ctx, 'world' | 'now'>,
  { routers, routes: all }: Pick<VpcRows, 'routers' | 'routes'>,
  { routerId, id, name, destination, target }: SetRoute,
): RouterRouteTable[] {
  const router = routers.find((one) => one.id === routerId.toLowerCase())
  if (!router) throw fault.notFound('vpc-router', routerId)
  const own = all.filter(({ vpcRouterId }) => vpcRouterId === router.id)
  const before = id == null ? undefined : own.find((one) => one.id === id.toLowerCase())
  if (id != null && !before) throw fault.notFound('router-route', id)
  const way = { destination, target }
  const route = before
    ? { ...before, ...changedWay(before, way) }
    : rowOf(ctx, router, { ...way, name, description: '' })
  const same = sameDestination(destination)
  const other = own.find((one) => one.id !== route.id && same.includes(one.destinationJson))
  if (other) throw sameAs(other)
  return [...all.filter((one) => one !== before), route]
}

async function remove(ctx: Ctx, row: RouterRouteTable): Promise<void> {
  if (row.kind !== 'custom') throw fault.invalid('DELETE not allowed on system routes')
  await deleteRow('vpcRouterRoute')(ctx, row)
  await noteVpcOf(ctx, 'vpcRouter', row.vpcRouterId)
  ctx.wake(`networks ${row.vpcRouterId}`)
}

/** As messages say it. */
const kindWord: Record<Kind, string> = {
  default: 'Default',
  vpc_subnet: 'VpcSubnet',
  vpc_peering: 'VpcPeering',
  custom: 'Custom',
}

/** Destination and target as they are stored. Throws 400 for a pair that users cannot specify. */
function checkWay(kind: Kind, { destination, target }: { destination: Destination; target: Target }) {
  if (destination.type === 'vpc' || target.type === 'vpc')
    throw fault.invalid(`users cannot specify VPCs as a destination or target in ${kindWord[kind]} routes`)
  if (target.type === 'subnet')
    throw fault.invalid(`subnets cannot be used as a target in ${kindWord[kind]} routers`)
  if (destination.type === 'ip_net') checkHostBits(destination.value)
  if (mixesFamilies(destination, target))
    throw fault.invalid('cannot mix explicit IPv4 and IPv6 addresses between destination and target')
  return { destinationJson: storedWay(destination), targetJson: storedWay(target) }
}

/** The text of a destination or target in the database. */
export function storedWay(end: Destination | Target): string {
  if (end.type === 'drop') return JSON.stringify({ type: 'drop' })
  return JSON.stringify({ type: end.type, value: canonical(end) })
}

function canonical({ type, value }: Exclude<Destination | Target, { type: 'drop' }>): string {
  const address = type === 'ip' ? parseIp(value) : undefined
  const net = type === 'ip_net' ? parseNet(value) : undefined
  if (address) return formatIp(address)
  return net ? formatNet(net) : value
}

/** Throws 400 for a network with bits beyond its width: the answer would differ from the request. */
export function checkHostBits(text: string): void {
  const net = parseNet(text)
  if (net && !isAligned(net)) throw fault.hostBits(text)
}

/** Throws 400 if the router has another route with the same destination: the order between them would be undefined. */
async function checkDistinct(tx: Tx, row: RouterRouteTable, destination: Destination): Promise<void> {
  const other = await tx
    .selectFrom('routerRoute')
    .select('name')
    .where('vpcRouterId', '=', row.vpcRouterId)
    .where('destinationJson', 'in', sameDestination(destination))
    .where('id', '<>', row.id)
    .limit(1)
    .executeTakeFirst()
  if (other) throw sameAs(other)
}

const sameAs = ({ name }: Pick<RouterRouteTable, 'name'>) =>
  fault.invalid(`route "${name}" of this router has the same destination: change that one`)

/** The texts of a destination: an address and its one-address network are the same. */
function sameDestination(destination: Destination): string[] {
  const own = storedWay(destination)
  const family = familyOf(destination)
  if (family === undefined) return [own]
  const [value = '', width] = (JSON.parse(own) as { value: string }).value.split('/')
  const isAlone = width === undefined || Number(width) === bitsOf(family)
  if (!isAlone) return [own]
  return [
    storedWay({ type: 'ip', value }),
    storedWay({ type: 'ip_net', value: `${value}/${bitsOf(family)}` }),
  ]
}

/** The ids of the routers of a VPC, for conditions. */
export const routersOf = (tx: Tx, vpcId: string) =>
  tx.selectFrom('vpcRouter').select('id').where('vpcId', '=', vpcId)

/** True if a route of the VPC has this target. */
export async function hasRouteTo(tx: Tx, vpcId: string, target: Target): Promise<boolean> {
  const found = await tx
    .selectFrom('routerRoute')
    .select('id')
    .where('vpcRouterId', 'in', routersOf(tx, vpcId))
    .where('targetJson', '=', storedWay(target))
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Deletes the routes of a VPC that a subnet made or that have a target. */
export async function deleteRoutes(
  tx: Tx,
  vpcId: string,
  which: { subnetId: string } | { target: Target },
): Promise<void> {
  const all = tx.deleteFrom('routerRoute').where('vpcRouterId', 'in', routersOf(tx, vpcId))
  const these =
    'subnetId' in which
      ? all.where('subnetId', '=', which.subnetId)
      : all.where('targetJson', '=', storedWay(which.target))
  for (const row of await these.returning('vpcRouterId').execute())
    await countDeleted(tx, 'vpcRouterRoute', row)
}

/** Makes the custom routes of a VPC follow a subnet, their destination, or an instance, their target, that was renamed. */
export async function renameInRoutes(
  ctx: Pick<Ctx, 'tx' | 'now'>,
  vpcId: string,
  { type, from, to }: { type: 'subnet' | 'instance'; from: string; to: string },
): Promise<void> {
  const column = type === 'subnet' ? 'destinationJson' : 'targetJson'
  await ctx.tx
    .updateTable('routerRoute')
    .set({ [column]: storedWay({ type, value: to }), timeModified: ctx.now })
    .where('vpcRouterId', 'in', routersOf(ctx.tx, vpcId))
    .where('kind', '=', 'custom')
    .where(column, '=', storedWay({ type, value: from }))
    .execute()
}
