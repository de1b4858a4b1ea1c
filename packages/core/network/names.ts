/** Resolves the names in rules and routes; the only place that does. */
import {
  bitsOf,
  boundsOf,
  canonicalIp,
  formatIp,
  fromKey,
  keyOf,
  parseIp,
  parseNet,
} from '@purlin/contract/rules/network/ip'
import type { Reference } from './references.ts'
import type { NicRow, VpcRows } from './rows.ts'

/** Where traffic comes from or goes to. */
export interface Place {
  /** All that is carried inside the VPC. */
  inside: boolean
  /** Networks, `address/width`. */
  nets: string[]
}

export interface Names {
  /** The interfaces of a target; null if its name does not exist. */
  nicsOf(target: Reference): readonly NicRow[] | null
  /** The addresses of a host filter; null if its name does not exist. */
  placeOf(host: Reference): Place | null
  /** Both blocks of a subnet; null if there is none of this name. */
  subnetBlocks(name: string): string[] | null
  /** The primary address of an instance with an interface in the VPC. */
  primaryAddress(instanceName: string): string | null
  /** The id of a gateway. */
  gateway(name: string): string | null
}

export const addressOf = (nic: NicRow): string => formatIp(fromKey(nic.ipKey))
const alone = (ip: string): string => `${ip}/${bitsOf(parseIp(ip)?.family ?? 4)}`

/** The names of a VPC, resolved once for all its rules and routes. */
export function namesOf({ vpc, subnets, nics, gateways }: VpcRows): Names {
  const subnetsByName = new Map(subnets.map((one) => [one.name, one]))
  const nicsBySubnet = Map.groupBy(nics, (nic) => nic.subnetId)
  // Rules and routes cannot name a probe, which may be called like an instance.
  const nicsByInstance = Map.groupBy(
    nics.filter(({ owner }) => owner === 'instance'),
    (nic) => nic.instanceName,
  )
  const nicsByAddress = Map.groupBy(nics, addressOf)
  const gatewaysByName = new Map(gateways.map((one) => [one.name, one.id]))
  const blocks = (name: string) => {
    const subnet = subnetsByName.get(name)
    return subnet ? [subnet.ipv4Block, subnet.ipv6Block] : null
  }
  return {
    nicsOf: remembered(({ type, value }) => {
      switch (type) {
        case 'vpc':
          return value === vpc.name ? nics : null
        case 'subnet': {
          const subnet = subnetsByName.get(value)
          return subnet ? (nicsBySubnet.get(subnet.id) ?? []) : null
        }
        case 'instance':
          return nicsByInstance.get(value) ?? null
        case 'ip':
          return nicsByAddress.get(canonicalIp(value)) ?? []
        case 'ip_net': {
          const keys = keysOf(value)
          return keys ? nics.filter(({ ipKey }) => ipKey >= keys.first && ipKey <= keys.last) : []
        }
      }
    }),
    placeOf: remembered(({ type, value }) => {
      const place = (nets: string[] | null) => nets && { inside: false, nets }
      switch (type) {
        case 'vpc':
          return value === vpc.name ? { inside: true, nets: [] } : null
        case 'subnet':
          return place(blocks(value))
        case 'instance':
          return place(nicsByInstance.get(value)?.map((nic) => alone(addressOf(nic))) ?? null)
        case 'ip':
          return place([alone(canonicalIp(value))])
        case 'ip_net':
          return place([value])
      }
    }),
    subnetBlocks: blocks,
    primaryAddress: (name) => {
      const primary = nicsByInstance.get(name)?.find((nic) => nic.isPrimary === 1)
      return primary ? addressOf(primary) : null
    },
    gateway: (name) => gatewaysByName.get(name) ?? null,
  }
}

/** The same names, where targets mean these interfaces only. */
export const narrowedTo = (names: Names, nics: ReadonlySet<NicRow>): Names => ({
  ...names,
  nicsOf: remembered((target) => names.nicsOf(target)?.filter((nic) => nics.has(nic)) ?? null),
})

/** The addresses of a network as they are stored, which sort as they do. */
function keysOf(text: string): { first: string; last: string } | undefined {
  const net = parseNet(text)
  if (!net) return undefined
  const { family } = net.base
  const { first, last } = boundsOf(net)
  return { first: keyOf({ family, value: first }), last: keyOf({ family, value: last }) }
}

/** Caches each reference: many rules have the same ones. */
function remembered<T>(find: (one: Reference) => T): (one: Reference) => T {
  const found = new Map<string, T>()
  return (one) => {
    const key = `${one.type} ${one.value}`
    if (!found.has(key)) found.set(key, find(one))
    return found.get(key) as T
  }
}
