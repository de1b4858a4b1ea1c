/** The addresses that webhooks must not be sent to. */
import { BlockList, isIPv4, isIPv6 } from 'node:net'

/** Networks that no receiver of alerts is in: this machine, its links, and addresses of no single host. */
const refusedNetworks = [
  // this network, loopback, link-local, multicast, reserved and broadcast
  '0.0.0.0/8',
  '127.0.0.0/8',
  '169.254.0.0/16',
  '224.0.0.0/4',
  '240.0.0.0/4',
  // unspecified, loopback, the network of the rack, link-local, site-local, multicast
  '::/128',
  '::1/128',
  'fc00::/7',
  'fe80::/10',
  'fec0::/10',
  'ff00::/8',
  // Addresses that contain one of IPv4: compatible, NAT64, 6to4, Teredo.
  '::/96',
  '64:ff9b::/96',
  '64:ff9b:1::/48',
  '2002::/16',
  '2001::/32',
]

/** Networks of an organisation: webhooks may reach them, what a member of a project names must not. */
export const privateNetworks = [
  // RFC 1918, carriers (RFC 6598), protocol assignments, benchmarks; those of IPv6 are refused to all
  '10.0.0.0/8',
  '172.16.0.0/12',
  '192.168.0.0/16',
  '100.64.0.0/10',
  '192.0.0.0/24',
  '198.18.0.0/15',
]

export interface AddressRules {
  /** Networks that are refused in addition, such as those of the management of hosts. */
  refused: readonly string[]
  /** Networks that are allowed although they are refused otherwise. */
  allowed: readonly string[]
}

/** A network as `10.0.0.0/8` or `fd00::/8`; undefined for any other text. A single address is one too. */
export function networkOf(
  text: string,
): { address: string; prefix: number; family: 'ipv4' | 'ipv6' } | undefined {
  const [address = '', width, ...rest] = text.trim().split('/')
  const family = isIPv4(address) ? 'ipv4' : isIPv6(address) && !address.includes('%') ? 'ipv6' : undefined
  if (!family || rest.length > 0) return undefined
  const most = family === 'ipv4' ? 32 : 128
  const prefix = width === undefined ? most : /^\d{1,3}$/.test(width) ? Number(width) : Infinity
  return prefix <= most ? { address, prefix, family } : undefined
}

function listOf(networks: readonly string[]): BlockList {
  const list = new BlockList()
  for (const text of networks) {
    const network = networkOf(text)
    if (!network) throw new Error(`not a network: ${text}`)
    list.addSubnet(network.address, network.prefix, network.family)
  }
  return list
}

/** Returns a check: true for an address that may be connected to. One of IPv4 in the form of IPv6 counts as IPv4. */
export function createAddressCheck({ refused, allowed }: AddressRules): (address: string) => boolean {
  const no = listOf([...refusedNetworks, ...refused])
  const yes = listOf(allowed)
  return (address) => {
    const family = isIPv4(address) ? 'ipv4' : isIPv6(address) ? 'ipv6' : undefined
    return family !== undefined && (yes.check(address, family) || !no.check(address, family))
  }
}
