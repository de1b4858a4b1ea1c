/** Generated networks with probes for the kernel, and the places where the model says that their packets arrive. */
import { formatIp, formatNet, parseIp, parseNet, type Address } from '@purlin/contract/rules/network/ip'
import { arrive, enter, leave, type Packet, type SledNetwork } from '@purlin/core/ports'
import {
  instances,
  isTie,
  netWith,
  packet,
  pushedOf,
  type Net,
} from '@purlin/core/testing/networks/generated-networks'
import fc from '@purlin/core/testing/properties'
import type { Arrivals, Sent } from './packets.ts'

/** Numbers of protocols that nothing knows. */
const firstNumber = 144
const numbers = 109
const floating = { kind: 'floating' as const, ip: '203.0.113.30', firstPort: 0, lastPort: 65_535 }

/** Most of the networks let more in than others, so that more packets arrive. */
function loosened({ rules, ...rest }: Net, i: number): Net {
  if (i % 2 === 0) return { rules, ...rest }
  const hosts = i % 4 === 3
  const open = rules.map((rule): Net['rules'][number] => ({
    ...rule,
    ...(rule.direction === 'inbound' ? { action: 'allow', status: 'enabled', targets: [] } : {}),
    ...(hosts ? { hosts: null } : {}),
  }))
  return { ...rest, rules: open, isAttached: true }
}

/** Its instances are probes, one has a floating address, and another may use more addresses. */
function withProbes(network: SledNetwork, i: number): SledNetwork {
  const interfaces = network.interfaces.map((nic) => ({
    ...nic,
    owner: 'probe' as const,
    transitIps: nic.id === 'c' && i % 3 === 0 ? ['9.9.9.0/24'] : [],
    nat:
      nic.id === 'b'
        ? { inbound: [floating], outbound: [{ gatewayId: 'gateway', addresses: [floating] }] }
        : nic.nat,
  }))
  return { ...network, interfaces }
}

const ipv6Block = parseIp('fd99::')?.value ?? 0n
const inIpv6 = ({ value }: Address): Address => ({ family: 6, value: ipv6Block + value })

/** The same with each address of IPv4 as one of a block of IPv6, and with the types that ICMPv6 has for errors and echo requests. */
function overIpv6<T>(of: T): T {
  const text = JSON.stringify(of)
    .replaceAll(/\b\d+(?:\.\d+){3}(?:\/\d+)?/g, (one) => {
      const [address, net] = [parseIp(one), parseNet(one)]
      if (address) return formatIp(inIpv6(address))
      return net ? formatNet({ base: inIpv6(net.base), width: 96 + net.width }) : one
    })
    .replaceAll('"icmpType":3', '"icmpType":1')
    .replaceAll('"icmpType":8', '"icmpType":128')
  return JSON.parse(text) as T
}

/** The name of the instance that is the same as another one, with IPv6. */
export const ipv6Twin = (name: string): string => `${name}6`

/** The network with a twin of each instance, and the same rules and routes for their addresses. */
function withTwins(network: SledNetwork): SledNetwork {
  const { rules, routeSets, interfaces } = overIpv6(network)
  const twins = interfaces.map((nic) => ({
    ...nic,
    id: ipv6Twin(nic.id),
    mac: nic.mac.replace(/^(?:..:){4}/, 'A8:40:25:F6:'),
    routes: nic.routes + network.routeSets.length,
    rules: nic.rules.map((place) => place + network.rules.length),
    nat: { inbound: [], outbound: [] },
  }))
  const all = [...network.interfaces, ...twins]
  return {
    ...network,
    rules: [...network.rules, ...rules],
    routeSets: [...network.routeSets, ...routeSets],
    interfaces: all,
    peers: all.map(({ ip, mac }) => ({ ip, mac, sledId: 'sled' })),
  }
}

/** The same packets from the twins. */
const fromTwins = (sent: readonly Sent[]): Sent[] =>
  sent
    .filter(({ from }) => from !== 'outside')
    .map((one) => ({ ...overIpv6(one), from: ipv6Twin(one.from), n: one.n + sent.length }))

/** Where the model says that a packet arrives, and with which source; null if it does not. */
function expected(network: SledNetwork, one: Packet & { from: string }): string | null {
  const allowed = (verdict: ReturnType<typeof arrive>) =>
    typeof verdict === 'object' && verdict.action === 'allow'
  if (one.from === 'outside') {
    const nic = enter(network, one.destination)?.nic
    if (!nic) return null
    const inner = { ...one, destination: nic.ip, inside: false }
    return allowed(arrive(network, nic, inner)) ? `${nic.id} ${one.source}` : null
  }
  const nic = network.interfaces.find(({ id }) => id === one.from)
  if (!nic) throw new Error(one.from)
  const departure = leave(network, nic, one)
  if (departure.type === 'outside') return `outside ${departure.as.ip}`
  if (departure.type !== 'inside') return null
  const to = network.interfaces.find(({ ip }) => ip === departure.to.ip)
  return to && allowed(arrive(network, to, { ...one, inside: true })) ? `${to.id} ${one.source}` : null
}

/** Decision 94: an error message that no connection has caused has no translated address. */
const isNamed = ({ protocol, from }: Sent, model: string | null, kernel: string | null): boolean =>
  protocol.type === 'icmp' &&
  protocol.icmpType === 3 &&
  kernel === null &&
  (from === 'outside' || model?.startsWith('outside') === true)

export interface Generated {
  network: SledNetwork
  packets: Packet[]
  /** for messages */
  net: Net
}

/** Networks, each with packets; versions count from 0. With twins, each instance is there with IPv6 as well. */
export function generated(count: number, packetsOfEach: number, hasTwins = false): Generated[] {
  const both = fc.tuple(netWith(8), fc.array(packet, { minLength: packetsOfEach, maxLength: packetsOfEach }))
  return fc
    .sample(both, { numRuns: count * 2 })
    .filter(([one]) => !isTie(one))
    .slice(0, count)
    .map(([net, packets], i) => {
      const network = withProbes(pushedOf(loosened(net, i), i), i)
      return { network: hasTwins ? withTwins(network) : network, packets, net }
    })
}

/** The packets as each instance sends them, and as the outside sends them to the floating address. `first` is their first number. */
export function sentIn({ packets, network }: Generated, first: number): Sent[] {
  const inbound = { source: '9.9.9.9', destination: floating.ip, from: 'outside' }
  const sent = [
    ...packets.flatMap((each, k) =>
      instances.map(({ name, ip }) => ({ ...each, ...(k % 2 ? { source: ip } : {}), from: name })),
    ),
    ...packets.map(({ protocol }) => ({ protocol, ...inbound })),
  ].map((each, n): Sent => ({ ...each, n: first + n, number: firstNumber }))
  // Two of the same protocol without ports and the same ends would be one connection.
  for (const [k, each] of sent.filter(({ protocol }) => protocol.type === 'other').entries())
    each.number += k % numbers
  return network.interfaces.length > instances.length ? [...sent, ...fromTwins(sent)] : sent
}

export interface Counts {
  sent: number
  arrived: number
  /** Differences that the decision names. */
  named: number
}

/** Counts the packets of a network that go where the model says, and describes the others. */
export function compare(
  { sent, got, of }: { sent: readonly Sent[]; got: Arrivals; of: Generated },
  counts: Counts,
): string[] {
  const differences: string[] = []
  for (const each of sent) {
    const is = got[each.n]?.join(' ') ?? null
    const should = expected(of.network, each)
    if (is === should) counts.arrived += is === null ? 0 : 1
    else if (isNamed(each, should, is)) counts.named++
    else differences.push(`${JSON.stringify(each)}: model ${should}, kernel ${is}: ${JSON.stringify(of.net)}`)
  }
  counts.sent += sent.length
  return differences
}

/** The numbers of packets that the model lets arrive. */
export const awaited = (sent: readonly Sent[], { network }: Generated): number[] =>
  sent
    .filter((each) => {
      const model = expected(network, each)
      return model !== null && !isNamed(each, model, null)
    })
    .map(({ n }) => n)
