/** The connections that the kernel keeps: answers pass while it does, so a connection that nothing allows any more is ended. */
import { rm, writeFile } from 'node:fs/promises'
import {
  arrive,
  enter,
  leave,
  type NetworkInterface,
  type Packet,
  type SledNetwork,
} from '@purlin/core/ports'
import type { Around } from '../compile/document.ts'
import { addressIn, isWithin } from '../compile/texts.ts'
import { inside } from './commands.ts'

/** The ends as the first packet had them, and those of its answers. */
export interface Connection {
  family: string
  /** the number of its protocol */
  protocol: number
  source: string
  destination: string
  port?: string
  icmp?: { type: number; code: number }
  answer: { source: string; destination: string; port: number }
}

const numbers = { icmp: 1, tcp: 6, udp: 17, icmpv6: 58 } as const

/** The kernel's list is read for each line that ends connections: 500 000 entries take 2 seconds. */
const mostReading = 500_000
/** Connections end by themselves while they are listed and ended. */
const attempts = 3
const isGone = (error: unknown) => String(error).includes("doesn't exist")

interface Place {
  namespace: string
  /** for a list of connections; it is removed */
  file: string
}

/** Ends connections of a namespace: all that it has if they are too many, or if they cannot be ended one by one. */
export async function endConnections(
  place: Place,
  isOver: (connection: Connection) => boolean,
): Promise<void> {
  for (let attempt = 0; attempt < attempts; attempt++) {
    const lines = await linesToEnd(place.namespace, isOver)
    if (lines?.length === 0) return
    if (lines === undefined) break
    await writeFile(place.file, `${lines.join('\n')}\n`, { mode: 0o600 })
    try {
      await inside(place.namespace, ['conntrack', '-R', place.file])
      return
    } catch (error) {
      if (!isGone(error)) break
    } finally {
      await rm(place.file)
    }
  }
  await inside(place.namespace, ['conntrack', '-F'])
}

/** The lines that end connections; undefined if they are too many, or too many to list. */
async function linesToEnd(
  namespace: string,
  isOver: (connection: Connection) => boolean,
): Promise<string[] | undefined> {
  const over: Connection[] = []
  const kept = new Set<string>()
  let count = 0
  for (const family of ['ipv4', 'ipv6']) {
    const list = await inside(namespace, ['conntrack', '-L', '-f', family, '-o', 'extended']).catch(
      () => null,
    )
    if (list === null) return undefined
    const all = list.split('\n').filter(Boolean).map(connectionIn)
    count += all.length
    for (const one of all)
      if (isOver(one)) over.push(one)
      else kept.add(endOfAllTo(one))
  }
  const lines = new Set(over.map((one) => (kept.has(endOfAllTo(one)) ? endOf(one) : endOfAllTo(one))))
  return lines.size * count > mostReading ? undefined : [...lines]
}

/** Such as `ipv4 2 udp 17 29 src=… dst=… sport=… dport=… [UNREPLIED] src=… dst=… sport=… dport=… mark=0 use=1`. */
function connectionIn(line: string): Connection {
  const [family = '', , , protocol] = line.split(/\s+/)
  const [first, answer] = line
    .split(/(?=\bsrc=)/)
    .slice(1)
    .map(fieldsIn)
  if (!first || !answer) throw new Error(`the kernel names a connection without ends: ${line}`)
  return {
    family,
    protocol: Number(protocol),
    source: addressIn(first['src'] ?? ''),
    destination: addressIn(first['dst'] ?? ''),
    ...(first['dport'] === undefined ? {} : { port: first['dport'] }),
    ...(first['type'] === undefined
      ? {}
      : { icmp: { type: Number(first['type']), code: Number(first['code']) } }),
    answer: {
      source: addressIn(answer['src'] ?? ''),
      destination: addressIn(answer['dst'] ?? ''),
      port: Number(answer['dport'] ?? 0),
    },
  }
}

const fieldsIn = (text: string): Record<string, string | undefined> =>
  Object.fromEntries([...text.matchAll(/\b(\w+)=(\S+)/g)].map(([, name = '', value = '']) => [name, value]))

/** Ends all to one port of an address. */
const endOfAllTo = ({ family, protocol, destination, port }: Connection): string =>
  `-D -f ${family} -p ${protocol} -d ${destination}${port === undefined ? '' : ` --dport ${port}`}`

/** Ends those of one source only. */
const endOf = (connection: Connection): string => `${endOfAllTo(connection)} -s ${connection.source}`

function packetOf({ protocol, port, icmp, source, destination }: Connection): Packet {
  const ends = { source, destination }
  if (protocol === numbers.tcp || protocol === numbers.udp)
    return { ...ends, protocol: { type: protocol === numbers.tcp ? 'tcp' : 'udp', port: Number(port) } }
  if ((protocol === numbers.icmp || protocol === numbers.icmpv6) && icmp)
    return { ...ends, protocol: { type: 'icmp', icmpType: icmp.type, code: icmp.code } }
  return { ...ends, protocol: { type: 'other' } }
}

/**
 * Says if a network would let the first packet of a connection through, and translate it as it did. What guests of other hosts send
 * and receive is decided by their hosts as well.
 */
export function allowedBy(
  network: SledNetwork,
  { remote = [], names }: Around = {},
): (connection: Connection) => boolean {
  const far = new Set(remote.map(({ ip }) => ip))
  const blocks = remote.flatMap(({ sources }) => sources.slice(1))
  const isFar = (source: string) => far.has(source) || blocks.some((block) => isWithin(source, block))
  const byIp = new Map(network.interfaces.map((nic) => [addressIn(nic.ip), nic]))
  const others = network.interfaces.filter(({ transitIps }) => transitIps.length > 0)
  const arrives = (nic: NetworkInterface, packet: Packet & { inside: boolean }) => {
    const verdict = arrive(network, nic, packet)
    return verdict !== 'destination check' && verdict.action === 'allow'
  }
  const leaves = (nic: NetworkInterface, packet: Packet, { answer, port }: Connection): boolean => {
    const departure = leave(network, nic, packet)
    if (departure.type === 'inside') {
      const hop = addressIn(departure.to.ip)
      const to = byIp.get(hop)
      return far.has(hop) || (to !== undefined && arrives(to, { ...packet, inside: true }))
    }
    if (departure.type !== 'outside') return false
    const { as } = departure
    const isItsPort =
      as.kind !== 'snat' || port === undefined || (answer.port >= as.firstPort && answer.port <= as.lastPort)
    return addressIn(as.ip) === answer.destination && isItsPort
  }
  const routers = new Set(network.interfaces.map(({ dhcp }) => addressIn(dhcp.router)))
  /** A question for a name, to a DNS server of the host. */
  const isQuestion = ({ source, destination, answer }: Connection) =>
    routers.has(source) &&
    names?.upstreams.some(
      ({ resolver, as }) => resolver === destination && addressIn(as.ip) === answer.destination,
    ) === true
  return (connection) => {
    if (isQuestion(connection)) return true
    const packet = packetOf(connection)
    const own = byIp.get(connection.source)
    if ([...(own ? [own] : []), ...others].some((nic) => leaves(nic, packet, connection))) return true
    const carried = { ...packet, inside: true }
    if (isFar(connection.source) && network.interfaces.some((nic) => arrives(nic, carried))) return true
    const to = enter(network, connection.destination)?.nic
    if (!to || addressIn(to.ip) !== connection.answer.source) return false
    return arrives(to, { ...packet, destination: to.ip, inside: false })
  }
}
