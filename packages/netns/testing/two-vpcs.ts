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
