/** The settings of dnsmasq for a VPC: it gives each guest the address, name, router and resolvers that it has, for ever. */
import { boundsOf, formatIp, parseNet } from '@purlin/contract/rules/network/ip'
import type { NetworkInterface, SledNetwork } from '@purlin/core/ports'
import { addressIn, devices, familyOf, macIn, netIn, widthIn } from './texts.ts'

/** Bytes of a packet of a guest. */
export const mtu = 1_500
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
  `dhcp-option=option:mtu,${mtu}`,
]

/** Undefined if no interface has an address of IPv4. `resolvers` are the addresses of DNS servers for guests. */
export function dhcpOf({ interfaces }: SledNetwork, resolvers: readonly string[]): string | undefined {
  const nics = interfaces.filter(({ ip, owner }) => owner === 'instance' && familyOf(ip) === 4)
  if (nics.length === 0) return undefined
  const own = resolvers.filter((one) => familyOf(one) === 4).map(addressIn)
  const subnets = [...new Map(nics.map((nic) => [netIn(nic.subnet), addressIn(nic.dhcp.router)]))]
  const tags = new Map(subnets.map(([block], i) => [block, `s${i}`]))
  const lines = [
    ...general,
    ...(own.length > 0 ? [`dhcp-option=option:dns-server,${own.join(',')}`] : []),
    ...subnets.flatMap(([block, router]) => {
      const tag = tags.get(block) ?? ''
      return [
        `dhcp-range=set:${tag},${block.replace(/\/.*/, '')},static,${maskOf(block)},infinite`,
        `dhcp-option=tag:${tag},option:router,${router}`,
      ]
    }),
    ...nics.flatMap(hostLines),
  ]
  return `${lines.join('\n')}\n`
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
