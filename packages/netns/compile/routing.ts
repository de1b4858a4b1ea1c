/**
 * The routes of a VPC as commands of ip, for the batches of each family. Each interface asks the table of its set of routes;
 * `local` in it sends a packet on to the table of peers, in which all addresses on this host are.
 */
import type { SledNetwork } from '@purlin/core/ports'
import { addressIn, beyond, devices, families, familyOf, netIn, numberIn, type Family } from './texts.ts'

type NetworkRoute = SledNetwork['routeSets'][number][number]

/** Marks the routes and rules that are made here. */
export const routeProtocol = 186
const peersTable = 999
const firstTable = 1_000
const mostSets = 1_000_000

/** By family, the commands that make all routes of a network in a namespace that has none. */
export type Routing = Record<Family, string[]>

/**
 * The routes between the interfaces whose devices exist. Packets for the others are dropped. Throws if a text of the network
 * is malformed.
 */
export function routingOf(network: SledNetwork, isPresent: (nicId: string) => boolean): Routing {
  const nics = network.interfaces.filter(({ id }) => isPresent(id))
  const at = new Map(nics.map(({ ip, id }) => [addressIn(ip), devices.nic(id)]))
  const routing: Routing = { 4: [], 6: [] }
  for (const family of families) {
    const lines = routing[family]
    const own = `proto ${routeProtocol}`
    for (const { ip, id } of nics)
      if (familyOf(ip) === family)
        lines.push(`route add ${netIn(ip)} dev ${devices.nic(id)} table ${peersTable} ${own}`)
    for (const [place, set] of network.routeSets.entries()) {
      const table = `table ${firstTable + place} ${own}`
      for (const [destination, target] of firstOfEach(set, family))
        lines.push(`route add ${hopOf({ destination, target }, family, at)} ${table}`)
      lines.push(`route add blackhole default metric 4000 ${table}`)
    }
    for (const { id, routes } of nics)
      lines.push(
        `rule add pref 100 iif ${devices.nic(id)} lookup ${firstTable + Number(numberIn(routes, mostSets))} protocol ${routeProtocol}`,
      )
  }
  return routing
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

/** The rules of a namespace of a VPC that no network changes: the table of peers comes last, and other packets are dropped. */
export const lastRules: readonly string[] = [
  `rule add pref 200 lookup ${peersTable}`,
  'rule add pref 300 blackhole',
]
