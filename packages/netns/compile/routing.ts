/**
 * The routes of a VPC as commands of ip, for the batches of each family. Each interface asks the table of its set of routes;
 * `local` in it sends a packet on to the table of peers, in which all addresses on this host are.
 */
import type { SledNetwork } from '@purlin/core/ports'
import type { Around } from './document.ts'
import { arrivalMark } from './tunnel.ts'
import { addressIn, beyond, devices, families, familyOf, netIn, numberIn, type Family } from './texts.ts'

type NetworkRoute = SledNetwork['routeSets'][number][number]

/** Marks the routes and rules that are made here. */
export const routeProtocol = 186
const peersTable = 999
const firstTable = 1_000
const mostSets = 1_000_000
/** The first of those for packets from other hosts, which have one interface each. */
const firstArrival = firstTable + mostSets + 1

/** By family, the commands that make all routes of a network in a namespace that has none. */
export type Routing = Record<Family, string[]>

/**
 * The routes between the interfaces whose devices exist, and to the guests of other hosts. Packets for the others are dropped.
 * Throws if a text of the network is malformed.
 */
export function routingOf(
  network: SledNetwork,
  isPresent: (nicId: string) => boolean,
  { remote = [], names }: Around = {},
): Routing {
  const nics = network.interfaces.filter(({ id }) => isPresent(id))
  const at = new Map([
    ...remote.map(({ ip }) => [ip, devices.tunnel] as const),
    ...nics.map(({ ip, id }) => [addressIn(ip), devices.nic(id)] as const),
  ])
  const routing: Routing = { 4: [], 6: [] }
  for (const family of families) {
    const lines = routing[family]
    const own = `proto ${routeProtocol}`
    for (const [ip, device] of at)
      if (familyOf(ip) === family)
        lines.push(`route add ${netIn(ip)} dev ${device} table ${peersTable} ${own}`)
    for (const [place, set] of network.routeSets.entries()) {
      const table = `table ${firstTable + place} ${own}`
      for (const [destination, target] of firstOfEach(set, family))
        lines.push(`route add ${hopOf({ destination, target }, family, at)} ${table}`)
      lines.push(`route add blackhole default metric 4000 ${table}`)
    }
    for (const { id, routes } of nics)
      lines.push(
        `rule add pref 100 iif ${devices.nic(id)} lookup ${tableOf(routes)} protocol ${routeProtocol}`,
      )
    if (remote.length > 0) lines.push(...arrivals(network, family, isPresent))
  }
  // Questions for names, to the DNS servers of the host.
  for (const { resolver, routes } of names?.upstreams ?? [])
    routing[4].push(
      `rule add pref 160 iif lo to ${resolver} lookup ${tableOf(routes)} protocol ${routeProtocol}`,
    )
  return routing
}

const tableOf = (routes: number) => firstTable + Number(numberIn(routes, mostSets))

/** A packet from another host goes to the interface that this host has chosen, also if it is for another address. */
function arrivals(
  { interfaces }: SledNetwork,
  family: Family,
  isPresent: (nicId: string) => boolean,
): string[] {
  const from = `iif ${devices.tunnel}`
  const own = `protocol ${routeProtocol}`
  const lines = interfaces.flatMap(({ id, ip }, place) => {
    if (familyOf(ip) !== family || !isPresent(id)) return []
    const table = firstArrival + place
    return [
      `route add default via ${addressIn(ip)} dev ${devices.nic(id)} onlink table ${table} proto ${routeProtocol}`,
      `rule add pref 90 ${from} fwmark ${arrivalMark(place)} lookup ${table} ${own}`,
    ]
  })
  return [...lines, `rule add pref 95 ${from} blackhole ${own}`]
}

/** The routes of a family, one for each destination: the first is used. */
function firstOfEach(set: readonly NetworkRoute[], family: Family): Map<string, NetworkRoute['target']> {
  const first = new Map<string, NetworkRoute['target']>()
  for (const { destination, target } of set) {
    const net = netIn(destination)
    if (familyOf(net) === family && !first.has(net)) first.set(net, target)
  }
  return first
}

interface Hop {
  destination: string
  target: NetworkRoute['target']
}

function hopOf({ destination, target }: Hop, family: Family, at: ReadonlyMap<string, string>): string {
  switch (target.type) {
    case 'local':
      return `throw ${destination}`
    case 'drop':
      return `blackhole ${destination}`
    case 'ip': {
      const hop = addressIn(target.ip)
      const device = at.get(hop)
      return device === undefined
        ? `blackhole ${destination}`
        : `${destination} via ${hop} dev ${device} onlink`
    }
    case 'gateway':
      return `${destination} via ${beyond[family]} dev ${devices.gateway(target.id)} onlink`
  }
}

/**
 * The rules of a namespace of a VPC that no network changes: the table of peers comes last, and other packets are dropped. The
 * kernel keeps the routes to links of IPv6 in its own table, which answers to guests need.
 */
export const lastRules: Readonly<Record<Family, readonly string[]>> = {
  4: [`rule add pref 200 lookup ${peersTable}`, 'rule add pref 300 blackhole'],
  6: [
    'rule add pref 150 iif lo to fe80::/10 lookup main',
    `rule add pref 200 lookup ${peersTable}`,
    'rule add pref 300 blackhole',
  ],
}
