/** Routes with their names resolved, in the order in which they are considered. */
import { bitsOf, boundsOf, formatIp, parseIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { RouterRouteTable } from '#/db/tables.ts'
import type { NetworkRoute } from './sled-network.ts'
import { wayIn, type Destination, type Target } from './references.ts'
import type { Names } from './names.ts'
import type { VpcRows } from './rows.ts'

/** Why a route has no effect. */
export type IdleRoute = 'no destination' | 'no target' | 'other family'

export interface Routing {
  /** The routes for subnets with this custom router, or with none: the first that fits an address decides. */
  routesFor(customRouterId: string | null): NetworkRoute[]
  /** Routes without effect, by id. */
  idle: Map<string, IdleRoute>
}

export function routingOf({ vpc, routes }: Pick<VpcRows, 'vpc' | 'routes'>, names: Names): Routing {
  const idle = new Map<string, IdleRoute>()
  const byRouter = new Map<string, NetworkRoute[]>()
  for (const row of routes) {
    const resolved = resolveRoute(row, names)
    if (typeof resolved === 'string') idle.set(row.id, resolved)
    else byRouter.set(row.vpcRouterId, [...(byRouter.get(row.vpcRouterId) ?? []), ...resolved])
  }
  const ofSystem = byRouter.get(vpc.systemRouterId) ?? []
  const routesFor = (customRouterId: string | null) => {
    const ofCustom = customRouterId === null ? [] : (byRouter.get(customRouterId) ?? [])
    return [...ofCustom, ...ofSystem].toSorted(byPrecedence(vpc.systemRouterId))
  }
  return { routesFor, idle }
}

// The longest prefix; among equal ones custom before system, and then names, so that the order is always the same.
const byPrecedence = (systemRouterId: string) => (a: NetworkRoute, b: NetworkRoute) => {
  const [x, y] = [widthOf(a.destination), widthOf(b.destination)]
  if (x !== y) return y - x
  if (a.routerId !== b.routerId) return a.routerId === systemRouterId ? 1 : -1
  return a.name < b.name ? -1 : 1
}
const widthOf = (net: string) => Number(net.split('/')[1])

function resolveRoute(row: RouterRouteTable, names: Names): NetworkRoute[] | IdleRoute {
  const { id, name, vpcRouterId: routerId } = row
  const way = wayIn(row)
  const nets = netsOf(way.destination, names)
  const target = targetOf(way.target, names)
  if (nets.length === 0) return 'no destination'
  if (!target) return 'no target'
  const family = target.type === 'ip' ? parseIp(target.ip)?.family : undefined
  const fitting = nets.filter((net) => family === undefined || parseNet(net)?.base.family === family)
  return fitting.length === 0
    ? 'other family'
    : fitting.map((destination) => ({ id, name, routerId, destination, target }))
}

function netsOf(destination: Destination, names: Names): string[] {
  switch (destination.type) {
    case 'ip':
      return [`${destination.value}/${bitsOf(parseIp(destination.value)?.family ?? 4)}`]
    case 'ip_net':
      return [destination.value]
    case 'subnet':
      return names.subnetBlocks(destination.value) ?? []
    // Reserved for routes between VPCs, which no request creates.
    case 'vpc':
      return []
  }
}

function targetOf(target: Target, names: Names): NetworkRoute['target'] | null {
  switch (target.type) {
    case 'drop':
      return { type: 'drop' }
    case 'ip':
      return { type: 'ip', ip: target.value }
    case 'subnet':
      return names.subnetBlocks(target.value) && { type: 'local' }
    case 'instance': {
      const ip = names.primaryAddress(target.value)
      return ip === null ? null : { type: 'ip', ip }
    }
    case 'internet_gateway': {
      const id = names.gateway(target.value)
      return id === null ? null : { type: 'gateway', id }
    }
    case 'vpc':
      return null
  }
}

/** The address of a subnet's gateway: the second of its block. */
export function gatewayAddress(block: string): string {
  const net = parseNet(block)
  if (!net) throw new Error(`not a network: ${block}`)
  return formatIp({ family: net.base.family, value: boundsOf(net).first + 1n })
}
