import {
  SledUnreachable,
  type NetworkInterface,
  type NetworkRule,
  type Packet,
  type SledNetwork,
} from '@purlin/core/ports'
import { expect } from 'vitest'
import { exampleNic, running, type Rule, type SledHarness } from './suite-harness.ts'

const vpcId = '0d0f7a7c-98a1-4d5f-8f43-4d0a3c1b8e11'
const a = 'nic-a'
const b = 'nic-b'
const ofNic = { [a]: '172.30.0.5', [b]: '172.30.0.6' } as const

const nic = (id: typeof a | typeof b): NetworkInterface => ({
  ...exampleNic(id),
  mac: id === a ? 'A8:40:25:F0:00:01' : 'A8:40:25:F0:00:02',
  ip: ofNic[id],
})
const web: NetworkRule = {
  id: 'rule',
  name: 'web',
  direction: 'inbound',
  action: 'allow',
  priority: 1,
  hosts: null,
  protocols: [{ type: 'tcp', ports: [{ first: 80, last: 80 }] }],
}
const route = { id: 'route', name: 'route', routerId: 'router' }
const routes: SledNetwork['routeSets'] = [
  [
    { ...route, destination: '172.30.0.0/22', target: { type: 'local' } },
    { ...route, destination: '0.0.0.0/0', target: { type: 'gateway', id: 'gateway' } },
  ],
]

/** The network of two interfaces, the first on one sled, the second on another or the same. */
async function twoSleds(h: SledHarness) {
  const [first, second] = (await h.driver.hardware()).sleds
  if (!first) throw new Error('the rack has no sleds')
  const sledOf = { [a]: first.id, [b]: (second ?? first).id }
  const push = (
    version: number,
    more: Partial<SledNetwork> & { nics?: (typeof a | typeof b)[] } = {},
  ): Promise<unknown> => {
    const { nics = [a, b], ...rest } = more
    const peers = nics.map((id) => ({ ip: ofNic[id], mac: nic(id).mac, sledId: sledOf[id] }))
    const shared = { vpcId, version, vni: 5000, rules: [web], routeSets: routes, peers }
    return Promise.all(
      [...new Set(Object.values(sledOf))].map((sledId) => {
        const interfaces = nics.filter((id) => sledOf[id] === sledId).map((id) => nic(id))
        return h.driver.setNetwork(sledId, { ...shared, interfaces, ...rest })
      }),
    )
  }
  return { sledOf, push }
}

const packet = (port: number, more: Partial<Packet> = {}): Packet => ({
  source: ofNic[a],
  destination: ofNic[b],
  protocol: { type: 'tcp', port },
  ...more,
})

/** The rules for what sleds enforce between interfaces. */
export function networkRules(rule: Rule) {
  rule('a packet passes as rules and routes say, on one sled or between two', async (h) => {
    const { push } = await twoSleds(h)
    await push(1)
    expect(await h.carries(a, packet(80))).toBe(true)
    expect(await h.carries(a, packet(81))).toBe(false)
    expect(await h.carries(a, packet(80, { source: '172.30.0.9' }))).toBe(false)
    expect(await h.carries(a, packet(80, { destination: '172.30.0.9' }))).toBe(false)
    expect(await h.carries(a, packet(443, { destination: '198.51.100.1' }))).toBe(true)
    expect(await h.admits(b, packet(80, { source: '198.51.100.1' }))).toBe(true)
    expect(await h.admits(b, packet(22, { source: '198.51.100.1' }))).toBe(false)
  })

  rule('another version replaces everything, also an older one; the same does nothing', async (h) => {
    const { push, sledOf } = await twoSleds(h)
    await push(5)
    await push(5, { rules: [] })
    expect(await h.carries(a, packet(80))).toBe(true)
    expect(await h.driver.networks(sledOf[a])).toEqual([{ vpcId, version: 5 }])
    for (const version of [6, 4]) {
      await push(version, { rules: [] })
      expect(await h.carries(a, packet(80))).toBe(false)
      expect(await h.driver.networks(sledOf[a])).toEqual([{ vpcId, version }])
      await push(5)
    }
  })

  rule('external addresses change while the machine runs, with another version only', async (h) => {
    const { sledOf, push } = await twoSleds(h)
    await running(h, undefined, { sledId: sledOf[a], nics: [{ id: a, mac: nic(a).mac, slot: 0 }] })
    expect(await h.externalIps(a)).toEqual([])
    await push(2)
    const [snat] = nic(a).nat.outbound.flatMap(({ addresses }) => addresses)
    expect(await h.externalIps(a)).toEqual([snat])
    const moved = { kind: 'floating', ip: '203.0.113.9', firstPort: 0, lastPort: 65_535 } as const
    const nat = { inbound: [moved], outbound: [{ gatewayId: 'gateway', addresses: [moved] }] }
    const interfaces = [{ ...nic(a), nat }]
    await push(2, { nics: [a], interfaces })
    expect(await h.externalIps(a)).toEqual([snat])
    await push(3, { nics: [a], interfaces })
    expect(await h.externalIps(a)).toEqual([moved])
    expect(await h.externalIps(b)).toEqual([])
  })

  rule('an interface that is left out is gone, until another version brings it back', async (h) => {
    const { push, sledOf } = await twoSleds(h)
    await push(1)
    await push(3, { nics: [] })
    expect(await h.driver.networks(sledOf[a])).toEqual([])
    await push(3)
    expect(await h.carries(a, packet(80))).toBe(false)
    await push(2)
    expect(await h.carries(a, packet(80))).toBe(true)
    await push(4, { nics: [a] })
    expect(await h.carries(a, packet(80))).toBe(false)
    expect(await h.driver.networks(sledOf[a])).toEqual([{ vpcId, version: 4 }])
  })

  rule('a sled that lost power has no networks, and takes any version', async (h) => {
    const { push, sledOf } = await twoSleds(h)
    await push(5)
    for (const sledId of Object.values(sledOf)) await h.restartNetworks(sledId)
    expect(await h.driver.networks(sledOf[a])).toEqual([])
    expect(await h.carries(a, packet(80))).toBe(false)
    await push(5)
    expect(await h.carries(a, packet(80))).toBe(true)
  })

  rule('a lost sled takes nothing', async (h) => {
    const { push, sledOf } = await twoSleds(h)
    await h.loseSled(sledOf[a])
    await expect(push(1)).rejects.toBeInstanceOf(SledUnreachable)
    await expect(h.driver.networks(sledOf[a])).rejects.toBeInstanceOf(SledUnreachable)
    await h.restoreSled(sledOf[a])
    expect(await h.driver.networks(sledOf[a])).toEqual([])
  })
}
