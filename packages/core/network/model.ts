/**
 * The model of a VPC's network: its rows turned into the rules that sleds enforce, with all names resolved. The
 * networks of sleds and all explanations for people are computed from it.
 */
import { formatIp, fromKey, keyOf, parseIp } from '@purlin/contract/rules/network/ip'
import { runAtOnce, runInSlices, type Interruptible } from '#/concurrency/checkpoints.ts'
import type {
  NetworkInterface,
  NetworkNat,
  NetworkPeer,
  NetworkRoute,
  SledNetwork,
  VmAddress,
} from './sled-network.ts'
import { formatMac } from './mac.ts'
import { firewallOf, type AppliedRule, type Idle } from './firewall.ts'
import { addressOf, namesOf, narrowedTo } from './names.ts'
import type { Reference } from './references.ts'
import { gatewayAddress, routingOf, type IdleRoute } from './routes.ts'
import type { ExternalIpRow, NicRow, VpcRows } from './rows.ts'
import { transitIpsIn } from './references.ts'

export interface VpcNetwork {
  /** The part for every sled: everything except the interfaces. */
  shared: Omit<SledNetwork, 'version' | 'interfaces' | 'tunnels' | 'away' | 'led'>
  /** All interfaces, also those of instances that are not placed. */
  interfaces: (NetworkInterface & { sledId: string | null })[]
  /** Rules and routes without effect, by id, and why. */
  idle: { rules: ReadonlyMap<string, Idle>; routes: ReadonlyMap<string, IdleRoute> }
  /** The references of rules that do not exist, by rule. */
  missing: ReadonlyMap<string, readonly Reference[]>
}

/** Interfaces by their ids or addresses, private or external. */
export interface Ends {
  ids: ReadonlySet<string>
  addresses: ReadonlySet<string>
}

interface How {
  /** Stopped instances count as running, on a separate sled. */
  assumeRunning?: boolean
  /** Only what packets between these can meet: these interfaces, those that routes lead to, and their rules. */
  between?: Ends
}

/** The model, computed synchronously. */
export const networkOf = (rows: VpcRows, how?: How): VpcNetwork => runAtOnce(makeNetwork(rows, how))

/** The model, with other work in between. */
export const networkInSlices = (rows: VpcRows, how?: How): Promise<VpcNetwork> =>
  runInSlices(makeNetwork(rows, how))

function* makeNetwork(
  rows: VpcRows,
  { assumeRunning = false, between }: How = {},
): Interruptible<VpcNetwork> {
  const names = namesOf(rows)
  const routing = routingOf(rows, names)
  const routeSets = [...new Set(rows.subnets.map((one) => one.customRouterId))]
  const routes = routeSets.map((id) => routing.routesFor(id))
  const nics = between ? metBetween(between, rows, routes.flat()) : rows.nics
  const targets = between ? narrowedTo(names, new Set(nics)) : names
  const firewall = yield* firewallOf(rows.rules, targets, between !== undefined)
  const subnets = new Map(
    rows.subnets.map(({ id, ipv4Block, ipv6Block, customRouterId }) => {
      const places = { ipv4: placeOf(ipv4Block), ipv6: placeOf(ipv6Block) }
      return [id, { ...places, customRouterId }]
    }),
  )
  const nat = natOf(rows)
  const places = yield* placesOf(firewall.rules, nics)
  const interfaces: VpcNetwork['interfaces'] = []
  for (const nic of nics) {
    yield
    const subnet = subnets.get(nic.subnetId)
    if (!subnet) throw new Error(`interface ${nic.id} has no subnet`)
    const ip = addressOf(nic)
    const { block, router } = ip.includes(':') ? subnet.ipv6 : subnet.ipv4
    interfaces.push({
      id: nic.id,
      owner: nic.owner,
      instanceId: nic.instanceId,
      mac: formatMac(nic.mac),
      ip,
      subnet: block,
      slot: nic.slot,
      primary: nic.isPrimary === 1,
      transitIps: transitIpsIn(nic),
      dhcp: { hostname: nic.hostname, router },
      routes: routeSets.indexOf(subnet.customRouterId),
      rules: places.get(nic.id) ?? [],
      nat: nic.isPrimary === 1 ? nat(nic) : noNat,
      sledId: nic.sledId ?? (assumeRunning ? 'assumed' : null),
    })
  }
  return {
    shared: {
      vpcId: rows.vpc.id,
      vni: rows.vpc.vni,
      zone: zoneOf(rows.vpc),
      rules: firewall.rules.map(({ rule }) => rule),
      routeSets: routes,
      peers: interfaces.flatMap(peerOf),
    },
    interfaces,
    idle: { rules: firewall.idle, routes: routing.idle },
    missing: firewall.missing,
  }
}

/** `internal` is kept for networks that are not public. */
const zoneOf = ({ dnsName }: VpcRows['vpc']): string => `${dnsName}.internal`

/** Of an interface that is placed. */
function peerOf({
  sledId,
  owner,
  dhcp,
  ip,
  mac,
  transitIps,
}: VpcNetwork['interfaces'][number]): NetworkPeer[] {
  if (sledId === null) return []
  const name = owner === 'instance' ? { hostname: dhcp.hostname } : {}
  return [{ ip, mac, sledId, ...(transitIps.length > 0 ? { transitIps } : {}), ...name }]
}

/**
 * The interfaces that packets between some ends can come to: the ends, those that have one of their addresses outside,
 * and the next hops of routes.
 */
function metBetween(
  { ids, addresses }: Ends,
  { nics, externalIps }: VpcRows,
  routes: readonly NetworkRoute[],
): NicRow[] {
  const hops = routes.flatMap(({ target }) => (target.type === 'ip' ? [target.ip] : []))
  const keys = new Set(
    [...addresses, ...hops].flatMap((text) => {
      const address = parseIp(text)
      return address ? [keyOf(address)] : []
    }),
  )
  const outside = new Set(externalIps.filter(({ ipKey }) => keys.has(ipKey)).map((one) => one.instanceId))
  return nics.filter(({ id, ipKey, instanceId }) => ids.has(id) || keys.has(ipKey) || outside.has(instanceId))
}

/** A block with the address of its gateway. */
const placeOf = (block: string) => ({ block, router: gatewayAddress(block) })

/** By interface, the places of its rules in the list of all. */
function* placesOf(
  rules: readonly AppliedRule[],
  nics: readonly NicRow[],
): Interruptible<Map<string, number[]>> {
  const places = new Map<string, number[]>(nics.map(({ id }) => [id, []]))
  for (const [i, { nicIds }] of rules.entries()) {
    yield
    for (const id of nicIds ?? places.keys()) places.get(id)?.push(i)
  }
  return places
}

/** The network as one sled gets it: with its own interfaces. */
export function forSled({ shared, interfaces }: VpcNetwork, sledId: string, version: number): SledNetwork {
  const own = interfaces.filter((one) => one.sledId === sledId)
  return { ...shared, version, interfaces: own.map(({ sledId: _, ...nic }) => nic) }
}

const noNat: NetworkNat = { inbound: [], outbound: [] }
const kindOrder = ['floating', 'ephemeral', 'snat']

/** Makes the function that gives the external addresses of an interface, and which of them may leave by which gateway. */
function natOf({ externalIps, gateways, gatewayPools, gatewayAddresses }: VpcRows) {
  const byInstance = Map.groupBy(externalIps, (one) => one.instanceId)
  const attached = gateways.map(({ id }) => ({
    gatewayId: id,
    pools: new Set(gatewayPools.filter((one) => one.internetGatewayId === id).map((one) => one.ipPoolId)),
    keys: new Set(gatewayAddresses.filter((one) => one.internetGatewayId === id).map((one) => one.ipKey)),
  }))
  return ({ instanceId }: NicRow): NetworkNat => {
    const all = (byInstance.get(instanceId) ?? []).toSorted(
      (a, b) => kindOrder.indexOf(a.kind) - kindOrder.indexOf(b.kind) || (a.ipKey < b.ipKey ? -1 : 1),
    )
    if (all.length === 0) return noNat
    const outbound = attached.map(({ gatewayId, pools, keys }) => ({
      gatewayId,
      addresses: all.filter(({ ipPoolId, ipKey }) => pools.has(ipPoolId) || keys.has(ipKey)).map(external),
    }))
    return {
      inbound: all.filter(({ kind }) => kind !== 'snat').map(external),
      outbound: outbound.filter(({ addresses }) => addresses.length > 0),
    }
  }
}

const external = ({ kind, ipKey, firstPort, lastPort }: ExternalIpRow): VmAddress => ({
  kind,
  ip: formatIp(fromKey(ipKey)),
  firstPort,
  lastPort,
})
