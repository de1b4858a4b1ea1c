/** Networks of two VPCs with the same addresses. */
import type { NetworkInterface, NetworkRule, SledNetwork } from '@purlin/core/ports'

export const blue = 'blue'
export const red = 'red'
/** The second is of a private block. */
export const external = { [blue]: '203.0.113.1', [red]: '10.99.0.2' } as const

export const rule = (more: Partial<NetworkRule>): NetworkRule => ({
  id: 'rule',
  name: 'rule',
  direction: 'inbound',
  action: 'allow',
  priority: 1,
  hosts: null,
  protocols: null,
  ...more,
})
export const echo = rule({ protocols: [{ type: 'icmp', icmpType: null, codes: null }] })
const route = { id: 'route', name: 'route', routerId: 'router' }

/** Two probes, at the same addresses in each VPC; the first has an external address. */
export function networkOf(
  vpcId: typeof blue | typeof red,
  version: number,
  rules: NetworkRule[] = [echo],
): SledNetwork {
  const nic = (name: 'a' | 'b', address: string): NetworkInterface => {
    const as = { kind: 'floating' as const, ip: external[vpcId], firstPort: 0, lastPort: 65_535 }
    const nat = { inbound: [as], outbound: [{ gatewayId: `gateway of ${vpcId}`, addresses: [as] }] }
    return {
      id: `${name} of ${vpcId}`,
      owner: 'probe',
      instanceId: name,
      mac: `A8:40:25:F0:0${vpcId === blue ? 0 : 1}:0${name === 'a' ? 1 : 2}`,
      ip: address,
      subnet: '10.0.0.0/24',
      slot: 0,
      primary: true,
      transitIps: [],
      dhcp: { hostname: name, router: '10.0.0.1' },
      routes: 0,
      rules: rules.map((_, i) => i),
      nat: name === 'a' ? nat : { inbound: [], outbound: [] },
    }
  }
  const routes: SledNetwork['routeSets'] = [
    [
      { ...route, destination: '10.0.0.0/24', target: { type: 'local' } },
      { ...route, destination: '0.0.0.0/0', target: { type: 'gateway', id: `gateway of ${vpcId}` } },
    ],
  ]
  const interfaces = [nic('a', '10.0.0.5'), nic('b', '10.0.0.6')]
  return {
    vpcId,
    version,
    vni: vpcId === blue ? 5_000 : 5_001,
    rules,
    routeSets: routes,
    peers: interfaces.map(({ ip: address, mac }) => ({ ip: address, mac, sledId: 'sled' })),
    interfaces,
  }
}

/** The addresses of both probes and those next to them. */
export const addressIn = (family: 4 | 6, last: number): string =>
  family === 4 ? `10.0.0.${last}` : `fd00:5::${last}`

/** The same network with a family of addresses. That of IPv6 has no external ones. */
export function withFamily(family: 4 | 6, { interfaces, ...rest }: SledNetwork): SledNetwork {
  if (family === 4) return { ...rest, interfaces }
  const inside = interfaces.map((nic) => ({ ...nic, nat: { inbound: [], outbound: [] } }))
  const text = JSON.stringify({ ...rest, interfaces: inside })
    .replaceAll('10.0.0.0/24', 'fd00:5::/64')
    .replaceAll('0.0.0.0/0', '::/0')
    .replaceAll(/10\.0\.0\.(\d+)(\/32)?/g, (_, last, width) => addressIn(6, last) + (width ? '/128' : ''))
  return JSON.parse(text) as SledNetwork
}
