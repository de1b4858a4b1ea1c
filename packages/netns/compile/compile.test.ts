import type { NetworkInterface, NetworkRule, SledNetwork } from '@purlin/core/ports'
import { describe, expect, it } from 'vitest'
import { dhcpOf } from './dhcp.ts'
import { nftOf } from './document.ts'
import { edgeRoutingOf } from './edge.ts'
import { edgeLimits, limitsNftOf, vpcLimits } from './limits.ts'
import { namesOf, settingsOf } from './names.ts'
import { routingOf } from './routing.ts'
import { devices } from './texts.ts'
import { forwardingOf, mtuOver, remotePeersOf, tunnelNftOf } from './tunnel.ts'
import { carriedFor, othersIn } from './ways.ts'

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
const ofHost = { resolvers: [], mtu: 1_500 }
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

const far = {
  peers: [
    { ip: '10.0.0.5', mac: 'A8:40:25:F0:00:01', sledId: 'here' },
    { ip: '10.0.1.7', mac: 'A8:40:25:F0:00:07', sledId: 'there', transitIps: ['10.1.0.0/22', '10.2.0.1/32'] },
    { ip: 'fd00::8', mac: 'A8:40:25:F0:00:08', sledId: 'there' },
    { ip: '10.0.1.9', mac: 'A8:40:25:F0:00:09', sledId: 'without a tunnel' },
  ],
  tunnels: [{ sledId: 'there', address: '192.0.2.2' }],
}
it('guests of other hosts are reached, and known by host and address', () => {
  const network = networkWith(far)
  const remote = remotePeersOf(network, '192.0.2.1')
  expect(remote.map(({ ip }) => ip)).toEqual(['10.0.1.7', 'fd00::8'])
  const document = tunnelNftOf('host', '192.0.2.1', { networks: [{ vni: network.vni, remote }], carried: [] })
  const added = (more: readonly string[], own: readonly string[]) =>
    more.filter((line) => !own.includes(line)).map(named)
  const rules = added(nftOf(network, { remote }).split('\n'), nftOf(network).split('\n'))
  const isThere = () => true
  const routes = added(routingOf(network, isThere, { remote })[4], routingOf(network, isThere)[4])
  expect({ forwarding: forwardingOf(remote), host: document.split('\n'), rules, routes }).toMatchSnapshot()
})

it('a host without an address, with that of another or with one of another family has no tunnel', () => {
  for (const own of [undefined, '192.0.2.2', '2001:db8::1'])
    expect(remotePeersOf(networkWith(far), own)).toEqual([])
  expect([mtuOver(1_500, '192.0.2.1'), mtuOver(1_500, '2001:db8::1'), mtuOver(9_000, '192.0.2.1')]).toEqual([
    1_450, 1_430, 1_500,
  ])
})

it('an address has one route on the way out, also while it moves from a guest here to one of another host', () => {
  const led = [{ ip: '203.0.113.9', isShared: false, address: '192.0.2.2' }]
  const other = networkWith({ vpcId: 'w', vni: 5001, interfaces: [], led })
  const routesOf = (...networks: SledNetwork[]) =>
    edgeRoutingOf(networks, {}, othersIn(carriedFor(networks, '192.0.2.1')))[4].filter((line) =>
      line.startsWith('route add 203.0.113.9/32'),
    )
  expect(routesOf(networkWith(), other)).toHaveLength(1)
  expect(routesOf(other)).toEqual(['route add 203.0.113.9/32 via 169.254.192.0 dev tunnel onlink proto 186'])
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
  expect(dhcpOf(networkWith(), { ...ofHost, resolvers: ['192.0.2.53', '2001:db8::53'] })).toMatchSnapshot()
  const odd = nic('a', '10.0.0.5', { dhcp: { hostname: 'x\nuser=root', router: '10.0.0.1' } })
  expect(dhcpOf(networkWith({ interfaces: [odd] }), ofHost)).not.toContain('root')
  expect(dhcpOf(networkWith({ interfaces: [] }), ofHost)).toBeUndefined()
})

it('guests with IPv6 get their addresses by DHCP, and are known by their devices', () => {
  const more = { subnet: 'fd00:5::/64', dhcp: { hostname: 'host-b', router: 'fd00:5::1' } }
  const six = networkWith({ interfaces: [nic('b', 'fd00:5::6', more)] })
  expect(named(dhcpOf(six, { ...ofHost, mtu: 1_430 }) ?? '')).toMatchSnapshot()
  expect(named(nftOf(six))).toContain('iifname { "B" } ip6 saddr fe80::/64 ip6 daddr ff02::1:2')
})

describe('names', () => {
  const peers = [
    { ip: '10.0.0.5', mac: 'A8:40:25:F0:00:01', sledId: 'here', hostname: 'Web' },
    { ip: 'fd00::8', mac: 'A8:40:25:F0:00:08', sledId: 'there', hostname: 'db.back' },
    { ip: '10.0.0.7', mac: 'A8:40:25:F0:00:07', sledId: 'there' },
    ...['x\n10.0.0.9 y', 'x y', '-x', 'x'.repeat(64), `${'x.'.repeat(124)}x`].map((hostname, i) => ({
      ip: `10.0.1.${i}`,
      mac: 'A8:40:25:F0:00:09',
      sledId: 'there',
      hostname,
    })),
  ]
  const network = networkWith({ zone: 'v.internal', peers })
  const open = { ...network, rules: network.rules.filter(({ direction }) => direction === 'inbound') }

  it('are those of instances, and of others by servers that a guest may ask', () => {
    const resolvers = ['8.8.8.8', '2001:db8::53', '10.0.0.53']
    expect(namesOf(open, resolvers)).toMatchObject({
      hosts: '10.0.0.5 web.v.internal\nfd00::8 db.back.v.internal\n',
      upstreams: [{ resolver: '8.8.8.8' }],
      // It has no address to leave with.
      closed: ['b'],
    })
    // A rule denies all of UDP.
    expect(namesOf(network, resolvers)).toMatchObject({ upstreams: [], closed: ['a', 'b'] })
  })

  it('are answered in two ways', () => {
    const names = namesOf(open, ['8.8.8.8'])
    if (!names) throw new Error('no names')
    const added = (more: string, own: string) =>
      more
        .split('\n')
        .filter((line) => !own.split('\n').includes(line))
        .map(named)
    expect({
      open: settingsOf(names, '/names/v', false),
      closed: settingsOf(names, '/names/v', true),
      rules: added(nftOf(open, { names }), nftOf(open)),
      routes: routingOf(open, () => true, { names })[4].slice(-1),
      dhcp: added(dhcpOf(open, ofHost, names) ?? '', dhcpOf(open, ofHost) ?? ''),
    }).toMatchSnapshot()
  })

  it('are none without a zone that is a name, and without guests', () => {
    for (const zone of ['', 'v/internal', 'v internal', '.internal', 'v\nserver=9.9.9.9'])
      expect(namesOf({ ...network, zone }, [])).toBeUndefined()
    expect(namesOf(networkWith(), [])).toBeUndefined()
    expect(namesOf({ ...network, interfaces: [] }, [])).toBeUndefined()
  })
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
  for (const text of odd) {
    const [, peer] = far.peers
    const ofPeer = { ...far, peers: peer ? [{ ...peer, ip: text }] : [] }
    const ofHost = { ...far, tunnels: [{ sledId: 'there', address: text }] }
    for (const more of [ofPeer, ofHost])
      expect(() => remotePeersOf(networkWith(more), '192.0.2.1')).toThrow('malformed')
  }
  for (const destination of odd) {
    const set = [{ ...route, destination, target: { type: 'drop' as const } }]
    expect(() => routingOf(networkWith({ routeSets: [set] }), () => true)).toThrow('malformed')
  }
})
