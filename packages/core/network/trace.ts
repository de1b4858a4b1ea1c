/** Traces a packet step by step, through the same networks that sleds enforce. */
import type { TraceStep, VpcTrace } from '@purlin/contract/operations/vpcs/vpc-trace'
import { canonicalIp, parseIp } from '@purlin/contract/rules/network/ip'
import type { Out } from '@purlin/contract/schema'
import { forSled, type Ends, type VpcNetwork } from './model.ts'
import { arrive, candidates, enter, isIn, leave, type Departure, type Packet } from './packet.ts'
import type { VpcRows } from './rows.ts'
import type { NetworkInterface, SledNetwork } from './sled-network.ts'
import { wordsOf, type Words } from './trace-words.ts'

type Step = Out<typeof TraceStep>
export type Trace = Out<typeof VpcTrace>

/** An end of a trace: an interface of the VPC, or an address. */
export type TraceEnd = { interfaceId: string } | { ip: string }
export interface TraceQuestion {
  source: TraceEnd
  destination: TraceEnd
  protocol: Packet['protocol']
  /** the source in the packet, if it is not that of the interface */
  sourceAddress: string | null
}

/** The input of the trace: a network, and the words for its parts. */
interface Place {
  network: VpcNetwork
  words: Words
  isInside: (address: string) => boolean
}
type Nic = VpcNetwork['interfaces'][number]

/** The part of the model that a question takes. */
export function endsOf({ source, destination }: TraceQuestion): Ends {
  const ends = [source, destination]
  return {
    ids: new Set(ends.flatMap((end) => ('interfaceId' in end ? [end.interfaceId] : []))),
    addresses: new Set(ends.flatMap((end) => ('ip' in end ? [end.ip] : []))),
  }
}

/** Traces in the model of these rows. */
export function traceIn(rows: VpcRows, network: VpcNetwork, question: TraceQuestion): Trace {
  const blocks = rows.subnets.flatMap(({ ipv4Block, ipv6Block }) => [ipv4Block, ipv6Block])
  const isInside = (text: string) => blocks.some((block) => isIn(block, parseIp(text)))
  const steps = stepsOf({ network, words: wordsOf(rows), isInside }, question)
  const last = steps.at(-1)
  if (!last) throw new Error('a trace has steps')
  return { result: last.result, text: last.text, steps }
}

function stepsOf(place: Place, { source, destination, protocol, sourceAddress }: TraceQuestion): Step[] {
  const from = nicOf(place, source)
  const to = nicOf(place, destination)
  if (from) {
    const packet = {
      source: canonicalIp(sourceAddress ?? from.ip),
      destination: canonicalIp(to?.ip ?? ('ip' in destination ? destination.ip : '')),
      protocol,
    }
    return fromInside(place, from, packet)
  }
  const ip = canonicalIp('ip' in source ? source.ip : '')
  if (place.isInside(ip)) return [place.words.noSender(ip)]
  const target = 'ip' in destination ? canonicalIp(destination.ip) : (to?.nat.inbound[0]?.ip ?? null)
  if (target === null && to) return [place.words.noExternalAddress(to)]
  return fromOutside(place, { source: ip, destination: target ?? '', protocol })
}

/** The interface of an end, by its id or its address. */
function nicOf({ network }: Place, end: TraceEnd): Nic | undefined {
  const ip = 'ip' in end ? canonicalIp(end.ip) : null
  return network.interfaces.find((nic) => ('interfaceId' in end ? nic.id === end.interfaceId : nic.ip === ip))
}

function fromInside(place: Place, from: Nic, packet: Packet): Step[] {
  const { words } = place
  if (from.sledId === null) return [words.sourceCheck(from, packet.source, 'not_running')]
  const pushed = forSled(place.network, from.sledId, 0)
  const nic = ownIn(pushed, from)
  const departure = leave(pushed, nic, packet)
  if (departure.type === 'dropped' && departure.by === 'source check')
    return [words.sourceCheck(from, packet.source, 'foreign_address')]
  const checked = words.sourceCheck(
    from,
    packet.source,
    packet.source === from.ip ? 'own_address' : 'transit_ip',
  )
  if (departure.type === 'dropped' && departure.by === 'no route')
    return [checked, words.noRoute(packet.destination)]
  return [checked, ...afterFirewall(place, { nic: from, pushed, packet, departure })]
}

type Decided = Exclude<Departure, { by: 'source check' | 'no route' }>
interface Leaving {
  nic: Nic
  pushed: SledNetwork
  packet: Packet
  departure: Decided
}

function afterFirewall(place: Place, { nic, pushed, packet, departure }: Leaving): Step[] {
  const { words } = place
  const firewall = words.firewall('firewall_out', nic, departure.verdict)
  if (departure.type === 'dropped' && departure.by === 'firewall') return [firewall]
  const all = candidates(pushed, nic, packet.destination)
  const steps = [firewall, words.route(departure.route, all)]
  if (departure.type === 'inside') return [...steps, ...delivered(place, departure.to, packet)]
  if (departure.type === 'outside') {
    const { gatewayId, as } = departure
    return [...steps, words.gateway(gatewayId, nic, as), ...beyond(place, { ...packet, source: as.ip })]
  }
  switch (departure.by) {
    case 'drop route':
      return steps
    case 'no address for the gateway':
      return [...steps, words.noAddress(departure.gatewayId, nic, packet.destination)]
    case 'no interface has the address':
      return [...steps, unreached(place, departure.address)]
  }
}

/** An address that no running instance has. */
function unreached({ network, words }: Place, address: string): Step {
  const nic = network.interfaces.find(({ ip }) => ip === address)
  return nic ? words.notRunning(nic) : words.noInterface(address)
}

/** A packet that has left the VPC: its destination may be an external address of an interface of the same VPC. */
function beyond(place: Place, packet: Packet): Step[] {
  const isOwn = enter(place.network, packet.destination) !== undefined
  return isOwn ? fromOutside(place, packet) : [place.words.left(packet)]
}

function fromOutside({ network, words }: Place, packet: Packet): Step[] {
  const entry = enter(network, packet.destination)
  const to = network.interfaces.find(({ id }) => id === entry?.nic.id)
  if (!entry || !to) return [words.noEntry(packet.destination)]
  const entered = words.externalAddress(to, entry.as)
  if (to.sledId === null) return [entered, words.notRunning(to)]
  const pushed = forSled(network, to.sledId, 0)
  const inner = { ...packet, destination: to.ip }
  const verdict = arrive(pushed, ownIn(pushed, to), { ...inner, inside: false })
  if (verdict === 'destination check') throw new Error(`${to.id} does not take its own address`)
  const firewall = words.firewall('firewall_in', to, verdict)
  return verdict.action === 'deny'
    ? [entered, firewall]
    : [entered, firewall, words.delivered(to, inner.destination)]
}

function delivered({ network, words }: Place, peer: SledNetwork['peers'][number], packet: Packet): Step[] {
  const pushed = forSled(network, peer.sledId, 0)
  const to = network.interfaces.find(({ ip }) => ip === peer.ip)
  if (!to) throw new Error(`no interface with ${peer.ip}`)
  const verdict = arrive(pushed, ownIn(pushed, to), { ...packet, inside: true })
  if (verdict === 'destination check') return [words.notAccepted(to, packet.destination)]
  const firewall = words.firewall('firewall_in', to, verdict)
  return verdict.action === 'deny' ? [firewall] : [firewall, words.delivered(to, packet.destination)]
}

function ownIn({ interfaces }: SledNetwork, { id }: { id: string }): NetworkInterface {
  const own = interfaces.find((nic) => nic.id === id)
  if (!own) throw new Error(`interface ${id} is not on its sled`)
  return own
}
