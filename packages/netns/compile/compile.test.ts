import type { NetworkInterface, NetworkRule, SledNetwork } from '@purlin/core/ports'
import { expect, it } from 'vitest'
import { dhcpOf } from './dhcp.ts'
import { nftOf } from './document.ts'
import { edgeLimits, limitsNftOf, vpcLimits } from './limits.ts'
import { routingOf } from './routing.ts'
import { devices } from './texts.ts'

const address = (ip: string, kind: 'floating' | 'ephemeral' | 'snat' = 'floating') => ({
  kind,
  ip,
  firstPort: 0,
  lastPort: kind === 'snat' ? 16_383 : 65_535,
})
const nic = (id: string, ip: string, more: Partial<NetworkInterface> = {}): NetworkInterface => ({
  id,
  owner: 'instance',
  instanceId: id,
  mac: `A8:40:25:F0:00:0${id === 'a' ? 1 : 2}`,
  ip,
  subnet: '10.0.0.0/22',
  slot: 0,
  primary: true,
  transitIps: [],
  dhcp: { hostname: `host-${id}`, router: '10.0.0.1' },
  routes: 0,
  rules: [0, 1],
  nat: { inbound: [], outbound: [] },
  ...more,
})
const rule = (more: Partial<NetworkRule>): NetworkRule => ({
  id: 'rule',
  name: 'rule',
  direction: 'inbound',
  action: 'allow',
  priority: 1,
  hosts: null,
  protocols: null,
  ...more,
})
const route = { id: 'route', name: 'route', routerId: 'router' }
const networkWith = (more: Partial<SledNetwork> = {}): SledNetwork => ({
  vpcId: 'v',
  version: 6,
  vni: 5000,
  rules: [
    rule({
      hosts: { inside: true, nets: ['192.0.2.0/24', '2001:DB8::/32'] },
      protocols: [
        {
          type: 'tcp',
          ports: [
            { first: 22, last: 22 },
            { first: 80, last: 81 },
          ],
        },
        { type: 'icmp', icmpType: 3, codes: { first: 1, last: 2 } },
      ],
    }),
    rule({ direction: 'outbound', action: 'deny', protocols: [{ type: 'udp', ports: null }] }),
  ],
  routeSets: [
    [
      { ...route, destination: '10.0.0.6/32', target: { type: 'drop' } },
      { ...route, destination: '10.0.0.0/22', target: { type: 'local' } },
      { ...route, destination: '10.0.0.0/22', target: { type: 'drop' } },
      { ...route, destination: '192.0.2.0/24', target: { type: 'ip', ip: '10.0.0.6' } },
      { ...route, destination: '198.51.100.0/24', target: { type: 'ip', ip: '10.0.0.99' } },
      { ...route, destination: '0.0.0.0/0', target: { type: 'gateway', id: 'gateway' } },
    ],
  ],
  peers: [],
  interfaces: [
    nic('a', '10.0.0.5', {
      nat: {
        inbound: [address('203.0.113.9')],
        outbound: [{ gatewayId: 'gateway', addresses: [address('203.0.113.7', 'snat')] }],
      },
    }),
    nic('b', '10.0.0.6', { transitIps: ['172.16.0.0/16', '172.17.0.1/32'] }),
  ],
  ...more,
})
const named = (text: string) =>
  text
    .replaceAll(devices.nic('a'), 'A')
    .replaceAll(devices.nic('b'), 'B')
    .replaceAll(devices.gateway('gateway'), 'GATEWAY')

it('a network is one document for the kernel', () => {
  expect(named(nftOf(networkWith()))).toMatchSnapshot()
})

it('limits are parts of what the kernel keeps, and never zero', () => {
  expect(limitsNftOf(edgeLimits, 262_144)).toMatchSnapshot()
  expect(limitsNftOf(vpcLimits, 65_536)).toContain('iifname ct count over 1024')
  expect(limitsNftOf(vpcLimits, 1)).toContain('iifname ct count over 1 ')
})

it('routes are used in their order, and lead nowhere without an interface', () => {
  const routing = routingOf(networkWith(), () => true)
  expect(routing[4].map(named)).toMatchSnapshot()
  const alone = routingOf(networkWith(), (id) => id === 'a')
  expect(alone[4]).toContain('route add blackhole 192.0.2.0/24 table 1000 proto 186')
  expect(alone[4].join()).not.toContain(devices.nic('b'))
})

it('guests get their addresses, names, router and resolvers by DHCP', () => {
  expect(dhcpOf(networkWith(), ['192.0.2.53', '2001:db8::53'])).toMatchSnapshot()
  const odd = nic('a', '10.0.0.5', { dhcp: { hostname: 'x\nuser=root', router: '10.0.0.1' } })
  expect(dhcpOf(networkWith({ interfaces: [odd] }), [])).not.toContain('root')
  expect(dhcpOf(networkWith({ interfaces: [] }), [])).toBeUndefined()
})

it('no text of a network gets into a document unless it is an address, a block or a number', () => {
  const odd = ['10.0.0.5 accept', '10.0.0.5\n', '10.0.0.5/33', '$(reboot)', '']
  const withNic = (more: Partial<NetworkInterface>) =>
    networkWith({ interfaces: [nic('a', '10.0.0.5', more)] })
  const nat = (ip: string): NetworkInterface['nat'] => ({ inbound: [address(ip)], outbound: [] })
  const wrong = odd.flatMap((text) => [
    withNic({ ip: text }),
    withNic({ mac: text }),
    withNic({ transitIps: [text] }),
    withNic({ nat: nat(text) }),
    networkWith({ rules: [rule({ hosts: { inside: false, nets: [text] } })] }),
  ])
  const ports = [
    { first: 1, last: 65_536 },
    { first: 2, last: 1 },
    { first: -1, last: 1 },
    { first: 0.5, last: 1 },
  ]
  const rules = ports.map((one) => [rule({ protocols: [{ type: 'tcp', ports: [one] }] })])
  for (const one of [...wrong, ...rules.map((list) => networkWith({ rules: list }))])
    expect(() => nftOf(one)).toThrow('malformed')
  for (const destination of odd) {
    const set = [{ ...route, destination, target: { type: 'drop' as const } }]
    expect(() => routingOf(networkWith({ routeSets: [set] }), () => true)).toThrow('malformed')
  }
})
