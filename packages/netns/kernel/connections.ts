/** The connections that the kernel keeps: answers pass while it does, so those that nothing allows any more are ended. */
import { rm, writeFile } from 'node:fs/promises'
import {
  arrive,
  enter,
  leave,
  type NetworkInterface,
  type Packet,
  type SledNetwork,
} from '@purlin/core/ports'
import { addressIn } from '../compile/texts.ts'
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

/** Ends connections of a namespace. `file` is for a list of them, and is removed. */
export async function endConnections(
  { namespace, file }: { namespace: string; file: string },
  isOver: (connection: Connection) => boolean,
): Promise<void> {
  const lines = new Set<string>()
  for (const family of ['ipv4', 'ipv6']) {
    const list = await inside(namespace, ['conntrack', '-L', '-f', family, '-o', 'extended'])
    for (const one of list.split('\n').filter(Boolean).map(connectionIn))
      if (isOver(one)) lines.add(endOf(one))
  }
  if (lines.size === 0) return
  await writeFile(file, `${[...lines].join('\n')}\n`, { mode: 0o600 })
  try {
    await inside(namespace, ['conntrack', '-R', file])
  } finally {
    await rm(file)
  }
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

/** Ends all to one port at once. */
const endOf = ({ family, protocol, source, destination, port }: Connection): string =>
  `-D -f ${family} -p ${protocol} -s ${source} -d ${destination}${port === undefined ? '' : ` --dport ${port}`}`

function packetOf({ protocol, port, icmp, source, destination }: Connection): Packet {
  const ends = { source, destination }
  if (protocol === numbers.tcp || protocol === numbers.udp)
    return { ...ends, protocol: { type: protocol === numbers.tcp ? 'tcp' : 'udp', port: Number(port) } }
  if ((protocol === numbers.icmp || protocol === numbers.icmpv6) && icmp)
    return { ...ends, protocol: { type: 'icmp', icmpType: icmp.type, code: icmp.code } }
  return { ...ends, protocol: { type: 'other' } }
}

/** Says if a network would let the first packet of a connection through, and translate it as it did. */
export function allowedBy(network: SledNetwork): (connection: Connection) => boolean {
  const byIp = new Map(network.interfaces.map((nic) => [addressIn(nic.ip), nic]))
  const others = network.interfaces.filter(({ transitIps }) => transitIps.length > 0)
  const arrives = (nic: NetworkInterface, packet: Packet & { inside: boolean }) => {
    const verdict = arrive(network, nic, packet)
    return verdict !== 'destination check' && verdict.action === 'allow'
  }
  const leaves = (nic: NetworkInterface, packet: Packet, { answer, port }: Connection): boolean => {
    const departure = leave(network, nic, packet)
    if (departure.type === 'inside') {
      const to = byIp.get(addressIn(departure.to.ip))
      return to !== undefined && arrives(to, { ...packet, inside: true })
    }
    if (departure.type !== 'outside') return false
    const { as } = departure
    const isItsPort =
      as.kind !== 'snat' || port === undefined || (answer.port >= as.firstPort && answer.port <= as.lastPort)
    return addressIn(as.ip) === answer.destination && isItsPort
  }
  return (connection) => {
    const packet = packetOf(connection)
    const own = byIp.get(connection.source)
    if ([...(own ? [own] : []), ...others].some((nic) => leaves(nic, packet, connection))) return true
    const to = enter(network, connection.destination)?.nic
    if (!to || addressIn(to.ip) !== connection.answer.source) return false
    return arrives(to, { ...packet, destination: to.ip, inside: false })
  }
}
