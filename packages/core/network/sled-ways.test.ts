import { parseNet } from '@purlin/contract/rules/network/ip'
import { expect, it } from 'vitest'
import { pushedOf } from '#/testing/networks/generated-networks.ts'
import type { VpcNetwork } from './model.ts'
import { waysFor, waysOf, type SledWays } from './sled-ways.ts'

const block = '203.0.113.0/24'
const sled = (sledId: string, tunnel: string | undefined, ...external: string[]): SledWays => ({
  sledId,
  tunnel,
  external: external.flatMap((one) => parseNet(one) ?? []),
})
const shared = { kind: 'snat', ip: '203.0.113.7', firstPort: 0, lastPort: 16_383 } as const
const floating = { kind: 'floating', ip: '203.0.113.8', firstPort: 0, lastPort: 65_535 } as const

/** Guests on three sleds: the second one has a floating address, and all share one of source NAT. */
function networkOn(...sleds: [string | null, string | null, string | null]): VpcNetwork {
  const { interfaces, version: _, ...shape } = pushedOf({ rules: [], routes: [], isAttached: true }, 1)
  const own = [[], [floating], []]
  return {
    shared: shape,
    interfaces: interfaces.map((nic, i) => ({
      ...nic,
      sledId: sleds[i] ?? null,
      nat: {
        inbound: own[i] ?? [],
        outbound: [{ gatewayId: 'gateway', addresses: [...(own[i] ?? []), shared] }],
      },
    })),
    idle: { rules: new Map(), routes: new Map() },
    missing: new Map(),
  }
}

it('one sled leads a shared address for all, and any other address is led where its guest is if that sled leads its block', () => {
  const sleds = [
    sled('one', '192.0.2.1'),
    sled('three', '192.0.2.3', '198.51.100.0/24', block),
    sled('two', '192.0.2.2', block),
  ]
  const ways = waysOf(networkOn('one', 'two', 'three'), sleds)
  const toThree = { ip: shared.ip, address: '192.0.2.3' }
  const tunnels = (...ids: string[]) =>
    sleds
      .filter(({ sledId }) => ids.includes(sledId))
      .map(({ sledId, tunnel }) => ({ sledId, address: tunnel }))
  expect(waysFor(ways, 'one')).toEqual({ tunnels: tunnels('three', 'two'), away: [toThree] })
  expect(waysFor(ways, 'two')).toEqual({ tunnels: tunnels('one', 'three'), away: [toThree] })
  expect(waysFor(ways, 'three')).toEqual({
    tunnels: tunnels('one', 'two'),
    led: [
      { ip: shared.ip, isShared: true, address: '192.0.2.1' },
      { ip: shared.ip, isShared: true, address: '192.0.2.2' },
    ],
  })
})

it('a sled without guests of the VPC leads their addresses', () => {
  const sleds = [sled('one', '192.0.2.1'), sled('edge', '192.0.2.9', block)]
  const ways = waysOf(networkOn('one', 'one', null), sleds)
  expect(waysFor(ways, 'edge')).toEqual({
    tunnels: [{ sledId: 'one', address: '192.0.2.1' }],
    led: [
      { ip: shared.ip, isShared: true, address: '192.0.2.1' },
      { ip: floating.ip, isShared: false, address: '192.0.2.1' },
    ],
  })
  expect(waysFor(ways, 'one')).toEqual({
    away: [shared, floating].map(({ ip }) => ({ ip, address: '192.0.2.9' })),
  })
})

it('addresses stay where their guests are without a tunnel to a sled that leads them', () => {
  const network = networkOn('one', 'two', null)
  for (const sleds of [
    [sled('one', '192.0.2.1'), sled('two', '192.0.2.2'), sled('edge', '192.0.2.9', '198.51.100.0/24')],
    [sled('one', '192.0.2.1'), sled('two', '192.0.2.2'), sled('edge', undefined, block)],
    [sled('one', undefined), sled('two', undefined), sled('edge', '192.0.2.9', block)],
  ])
    expect(waysOf(network, sleds).led).toEqual([])
})
