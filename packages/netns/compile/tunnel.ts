/**
 * The way of a VPC between hosts: VXLAN. Each guest of another host has an entry with its MAC address and its host; nothing is
 * learned from packets, and nothing is sent to all.
 */
import type { SledNetwork } from '@purlin/core/ports'
import { setOf } from './rules.ts'
import { edgeMac, edgeVni, type Carried } from './ways.ts'
import {
  addressIn,
  devices,
  families,
  familyOf,
  isSingle,
  macIn,
  netIn,
  numberIn,
  plainIn,
  startIn,
  wordOf,
  type Family,
} from './texts.ts'

/** The port of VXLAN. */
export const tunnelPort = 4_789
/** Bytes that VXLAN adds to a packet, by the family of the hosts' addresses. */
const overhead: Record<Family, number> = { 4: 50, 6: 70 }
const mostOfGuests = 1_500
const mostVni = 2 ** 24 - 1

/** Bytes of a packet of a guest that fit through a tunnel on a device with this MTU. */
export const mtuOver = (underlay: number, own: string): number =>
  Math.min(mostOfGuests, underlay - overhead[familyOf(own)])

/** A guest of another host. */
export interface RemotePeer {
  ip: string
  mac: string
  /** The addresses that it may send from: its address, and its other blocks. */
  sources: string[]
  /** The address of its host. */
  host: string
}

/** The guests of other hosts, as a host with this address reaches them; none without an address. Throws if a text is malformed. */
export function remotePeersOf(
  { peers, interfaces, tunnels = [] }: SledNetwork,
  own: string | undefined,
): RemotePeer[] {
  if (own === undefined || interfaces.length === 0) return []
  const family = familyOf(own)
  const hosts = new Map(
    tunnels
      .map(({ sledId, address }) => [sledId, addressIn(address)] as const)
      .filter(([, address]) => familyOf(address) === family && address !== own),
  )
  const here = new Set(interfaces.map(({ ip }) => addressIn(ip)))
  return peers.flatMap(({ ip: text, mac, sledId, transitIps = [] }) => {
    const host = hosts.get(sledId)
    const ip = addressIn(text)
    if (host === undefined || here.has(ip)) return []
    const more = transitIps.map((one) => (isSingle(one) ? plainIn(one) : netIn(one)))
    return [{ ip, mac: macIn(mac), sources: [...new Set([ip, ...more])], host }]
  })
}

/** Where the parts of a packet are in the UDP packet that carries it, in bits after the ports. */
const at = {
  vni: '@th,96,24',
  sender: '@th,176,48',
  type: '@th,224,16',
  source: { 4: '@th,336', 6: '@th,304' },
  destination: { 4: '@th,368' },
} as const
const types: Record<Family, string> = { 4: '0x800', 6: '0x86dd' }

/** The packets of a VPC for a host: its number, and their senders. */
interface Arriving {
  vni: number
  remote: readonly RemotePeer[]
}

/**
 * The document for the host itself: of the packets for its VPCs, only those of hosts that have guests of the VPC, and only from
 * addresses of these guests. Between edges, only those with an external address that crosses this way.
 */
export function tunnelNftOf(
  table: string,
  own: string,
  { networks, carried }: { networks: readonly Arriving[]; carried: readonly Carried[] },
): string {
  const vnis = [...new Set([edgeVni, ...networks.map(({ vni }) => vni)])].map((vni) => numberIn(vni, mostVni))
  const outer = `${wordOf(familyOf(own))} saddr`
  const pairs = networks.flatMap(({ vni, remote }) =>
    remote.flatMap(({ host, sources }) => sources.map((source) => ({ vni, host, source }))),
  )
  const lines = families.flatMap((family) => {
    const of = pairs.filter(({ source }) => familyOf(source) === family)
    const whole = of.filter(({ source }) => isSingle(source))
    const exact = whole.map(({ vni, host, source }) => `${host} . ${vni} . ${startIn(source).value}`)
    const inner = `${at.source[family]},${family === 4 ? 32 : 128}`
    const blocks = of.filter(({ source }) => !isSingle(source))
    return [
      ...(exact.length > 0
        ? [`${at.type} ${types[family]} ${outer} . ${at.vni} . ${inner} ${setOf([...new Set(exact)])} accept`]
        : []),
      ...blocks.map(({ vni, host, source }) => {
        const { width, value } = startIn(source)
        const within = width > 0 ? ` ${at.source[family]},${width} ${value}` : ''
        return `${outer} ${host} ${at.vni} ${vni} ${at.type} ${types[family]}${within} accept`
      }),
    ]
  })
  return `${[
    `table inet ${table} {}`,
    `delete table inet ${table}`,
    `table inet ${table} {`,
    'chain carried {',
    ...lines,
    ...betweenEdges(outer, carried),
    'drop',
    '}',
    'chain input {',
    'type filter hook input priority -10',
    `udp dport ${tunnelPort} ${at.vni} ${setOf(vnis)} jump carried`,
    '}',
    '}',
  ].join('\n')}\n`
}

function betweenEdges(outer: string, carried: readonly Carried[]): string[] {
  return (['source', 'destination'] as const).flatMap((end) => {
    const of = carried
      .filter((one) => one.end === end)
      .map(({ ip, address }) => `${address} . ${edgeVni} . ${hexOf(edgeMac(address))} . ${startIn(ip).value}`)
    if (of.length === 0) return []
    const match = `${outer} . ${at.vni} . ${at.sender} . ${at[end][4]},32`
    return [`${at.type} ${types[4]} ${match} ${setOf([...new Set(of)])} accept`]
  })
}

const hexOf = (mac: string): string => `0x${mac.replaceAll(':', '')}`

/** The mark of a packet from another host: the place of the interface that it is for, whose MAC address it has. */
export const arrivalMark = (place: number): number => place + 1

/**
 * The document that takes packets from the tunnel. The host that has sent one has chosen its next hop by the MAC address, as a
 * route may lead to a guest that is not its destination.
 */
export function arrivingNftOf({ interfaces }: SledNetwork): string {
  const marks = new Map(interfaces.map(({ mac }, place) => [macIn(mac), arrivalMark(place)]))
  const map = setOf([...marks].map(([mac, mark]) => `${mac} : ${mark}`))
  return `${[
    'table netdev purlin {}',
    'delete table netdev purlin',
    'table netdev purlin {',
    'chain arriving {',
    `type filter hook ingress device "${devices.tunnel}" priority 0`,
    'policy drop',
    `meta mark set ether daddr map ${map}`,
    'meta mark != 0 meta pkttype set host accept',
    '}',
    '}',
  ].join('\n')}\n`
}

/** The entries of a bridge that say which host a MAC address is on. */
export const forwardingOf = (ends: readonly Pick<RemotePeer, 'mac' | 'host'>[]): string[] =>
  ends.map(({ mac, host }) => `fdb replace ${mac} dev ${devices.tunnel} dst ${host} self permanent`)
