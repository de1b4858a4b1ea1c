/** The settings of dnsmasq for a VPC: it gives each guest the address, name, router and resolvers that it has, for ever. */
import { boundsOf, formatIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { NetworkInterface, SledNetwork } from '@purlin/core/ports'
import type { Names } from './names.ts'
import { addressIn, devices, familyOf, macIn, netIn, widthIn, type Family } from './texts.ts'

const hostname = /^[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?$/i

const general = [
  'port=0',
  `interface=${devices.everyNic}`,
  'bind-dynamic',
  'no-ping',
  'no-hosts',
  'no-resolv',
  'leasefile-ro',
  'dhcp-authoritative',
  'dhcp-no-override',
  // A guest that asks without end would fill the log of the host.
  'quiet-dhcp',
]

/** Times of IPv6. Guests ask for their addresses again after half of theirs. */
const seconds = { betweenRouters: 300, ofRouter: 9_000, ofAddress: 600 } as const

export interface OfHost {
  /** The addresses of DNS servers for guests. */
  resolvers: readonly string[]
  /** Bytes of a packet of a guest. */
  mtu: number
}

type Given = OfHost & { zone: string | undefined }

/** Undefined without guests. With the names of a VPC, its router answers for names. */
export function dhcpOf(
  { interfaces }: SledNetwork,
  ofHost: OfHost,
  names?: Pick<Names, 'zone'>,
): string | undefined {
  const nics = interfaces.filter(({ owner }) => owner === 'instance')
  if (nics.length === 0) return undefined
  const of = (family: Family) => nics.filter(({ ip }) => familyOf(ip) === family)
  const given = { ...ofHost, zone: names?.zone }
  const lines = [...general, ...linesOf4(of(4), given), ...linesOf6(of(6), given)]
  return `${lines.join('\n')}\n`
}

const withServers = (servers: readonly string[]): string[] =>
  servers.length > 0 ? [`dhcp-option=option:dns-server,${servers.join(',')}`] : []
const searching = (options: readonly string[], zone: string): string[] =>
  options.map((option) => `dhcp-option=option:${option},${zone}`)

function linesOf4(nics: readonly NetworkInterface[], { resolvers, mtu, zone }: Given): string[] {
  if (nics.length === 0) return []
  const own = resolvers.filter((one) => familyOf(one) === 4).map(addressIn)
  const subnets = [...new Map(nics.map((nic) => [netIn(nic.subnet), addressIn(nic.dhcp.router)]))]
  const tags = new Map(subnets.map(([block], i) => [block, `s${i}`]))
  return [
    `dhcp-option=option:mtu,${mtu}`,
    ...(zone === undefined
      ? withServers(own)
      : // The address of dnsmasq itself.
        [...withServers(['0.0.0.0']), ...searching(['domain-name', 'domain-search'], zone)]),
    ...subnets.flatMap(([block, router]) => {
      const tag = tags.get(block) ?? ''
      return [
        `dhcp-range=set:${tag},${block.replace(/\/.*/, '')},static,${maskOf(block)},infinite`,
        `dhcp-option=tag:${tag},option:router,${router}`,
      ]
    }),
    ...nics.flatMap(hostLines),
  ]
}

/**
 * Routers say that they are there, and that addresses are asked for. They name no prefix of a link, as nothing but the router is on it. A guest is
 * known by its device, because a question may name any MAC address. Its system may change, which is another client then: so
 * that this one gets the address soon, no guest has it for ever.
 */
function linesOf6(nics: readonly NetworkInterface[], { mtu, zone }: Given): string[] {
  if (nics.length === 0) return []
  const blocks = [...new Set(nics.map(({ subnet }) => netIn(subnet)))]
  return [
    'enable-ra',
    ...(zone === undefined
      ? []
      : ['dhcp-option=option6:dns-server,[::]', `dhcp-option=option6:domain-search,${zone}`]),
    `ra-param=${devices.everyNic},mtu:${mtu},${seconds.betweenRouters},${seconds.ofRouter}`,
    ...blocks.map((block) => `dhcp-range=${block.replace('/', ',static,off-link,')},${seconds.ofAddress}`),
    ...nics.map(
      ({ id, ip }) => `dhcp-host=*:*:*:*:*:*,tag:${devices.nic(id)},[${addressIn(ip)}],${seconds.ofAddress}`,
    ),
  ]
}

function hostLines({ mac, ip, dhcp }: NetworkInterface, i: number): string[] {
  const host = `dhcp-host=${macIn(mac)},set:h${i},${addressIn(ip)},infinite`
  return hostname.test(dhcp.hostname) ? [host, `dhcp-option=tag:h${i},12,${dhcp.hostname}`] : [host]
}

/** The mask of a block, such as 255.255.255.0. */
function maskOf(block: string): string {
  const every = parseNet(`0.0.0.0/${widthIn(block)}`)
  if (!every) throw new Error('a block has no width')
  return formatIp({ family: 4, value: 0xffff_ffffn - boundsOf(every).last })
}
