/** The path that packets take by a route, shown by one of them. */
import type { VpcPreview } from '@purlin/contract/operations/vpcs/vpc-preview'
import {
  boundsOf,
  formatIp,
  formatNet,
  parseIp,
  parseNet,
  type Network,
} from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import type { RouterRouteTable } from '#/db/tables.ts'
import { networkInSlices } from './model.ts'
import { addressOf } from './names.ts'
import { isIn } from './packet.ts'
import { anywhere } from './reachability.ts'
import { wayIn, type Destination } from './references.ts'
import type { NicRow, VpcRows } from './rows.ts'
import { endsOf, traceIn } from './trace.ts'

type Path = Out<typeof VpcPreview>['path']

/** Most routes are for the web; the firewall may drop others. */
const protocol = { type: 'tcp', port: 443 } as const

/** The path of a packet by a route among these rows, as if all instances ran; null if no instance uses its router. */
export async function pathBy(rows: VpcRows, route: RouterRouteTable | undefined): Promise<Path> {
  const router = rows.routers.find(({ id }) => id === route?.vpcRouterId)
  if (!route || !router) return null
  const { destination } = wayIn(route)
  const users = rows.subnets.filter((one) => router.kind === 'system' || one.customRouterId === router.id)
  const subnetIds = new Set(users.map(({ id }) => id))
  const senders = rows.nics.filter(({ owner, subnetId }) => owner === 'instance' && subnetIds.has(subnetId))
  for (const address of addressesOf(rows, destination)) {
    const nic = senderOf(senders, address)
    if (!nic) continue
    const question = {
      source: { interfaceId: nic.id },
      destination: { ip: address },
      protocol,
      sourceAddress: null,
    }
    const network = await networkInSlices(rows, { assumeRunning: true, between: endsOf(question) })
    return {
      routeId: route.id,
      instanceId: nic.instanceId,
      name: nic.instanceName,
      destination: address,
      totalInstances: new Set(senders.map(({ instanceId }) => instanceId)).size,
      trace: traceIn(rows, network, question),
    }
  }
  return null
}

/** One of the same IP version that does not have the address, if there is one: those that run first. */
function senderOf(senders: readonly NicRow[], address: string): NicRow | undefined {
  const family = parseIp(address)?.family
  const fitting = senders.filter((nic) => {
    const own = addressOf(nic)
    return own !== address && parseIp(own)?.family === family
  })
  return fitting.find(({ sledId }) => sledId !== null) ?? fitting[0]
}

/** Addresses of a destination, those in use first; none of a name that does not exist. */
function addressesOf({ subnets, nics }: VpcRows, { type, value }: Destination): string[] {
  switch (type) {
    case 'ip':
      return [value]
    case 'ip_net':
      return firstOf(parseNet(value))
    case 'subnet': {
      const subnet = subnets.find(({ name }) => name === value)
      const used = nics.filter(({ subnetId }) => subnetId === subnet?.id).map(addressOf)
      return [
        ...used.slice(0, 2),
        ...firstOf(parseNet(subnet?.ipv4Block ?? '')),
        ...firstOf(parseNet(subnet?.ipv6Block ?? '')),
      ]
    }
    case 'vpc':
      return []
  }
}

/** An address of a network: one that represents any outside, or the first after that of the network itself. */
function firstOf(net: Network | undefined): string[] {
  if (!net) return []
  const outside = anywhere[net.base.family]
  if (isIn(formatNet(net), parseIp(outside))) return [outside]
  const { first, last } = boundsOf(net)
  return [formatIp({ family: net.base.family, value: first < last ? first + 1n : first })]
}
