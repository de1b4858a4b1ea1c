/** Settings of switch ports for tests. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import type { TestWorld } from '../world.ts'

type Body = Parameters<Client<Operations>['networkingSwitchPortSettingsCreate']>[0]['body']
type AskedPeer = NonNullable<Body['bgpPeers']>[number]['peers'][number]

/** A link with the usual settings. */
export const linkCalled = (linkName: string): Body['links'][number] => ({
  linkName,
  mtu: 1500,
  speed: 'speed100_g',
  autoneg: false,
  lldp: { enabled: true },
})

/** A peer with short times. */
export const peerAt = (addr: string, more: Partial<AskedPeer> = {}): AskedPeer => ({
  addr,
  bgpConfig: 'rack',
  interfaceName: 'phy0',
  holdTime: 6,
  idleHoldTime: 3,
  delayOpen: 0,
  connectRetry: 3,
  keepalive: 2,
  communities: [],
  enforceFirstAs: false,
  allowedImport: { type: 'no_filtering' },
  allowedExport: { type: 'no_filtering' },
  ...more,
})

interface Short {
  addresses?: readonly string[]
  peers?: readonly AskedPeer[]
}

/** Settings with one link `phy0`, which has these addresses of the lot `infra` and these peers. */
export const settingsCalled = (
  name: string,
  { addresses = [], peers = [], ...more }: Partial<Omit<Body, 'addresses'>> & Short = {},
): Body => ({
  name,
  description: `the settings ${name}`,
  portConfig: { geometry: 'qsfp28x1' },
  links: [linkCalled('phy0')],
  addresses: [
    { linkName: 'phy0', addresses: addresses.map((address) => ({ addressLot: 'infra', address })) },
  ],
  bgpPeers: [{ linkName: 'phy0', peers: [...peers] }],
  ...more,
})

/** Makes the lot `infra`, the announce set `own` of the lot `pools`, and the BGP configuration `rack` with the ASN 65001. */
export async function prepareNetwork(world: TestWorld): Promise<void> {
  const fleet = world.as('fleetAdmin')
  const lot = (name: string, kind: 'infra' | 'pool', firstAddress: string, lastAddress: string) =>
    fleet.networkingAddressLotCreate({
      body: { name, description: '', kind, blocks: [{ firstAddress, lastAddress }] },
    })
  await lot('infra', 'infra', '198.51.100.32', '198.51.100.63')
  await lot('pools', 'pool', '203.0.113.0', '203.0.113.255')
  await announce(world, 'own', ['203.0.113.0/25'])
  const body = { name: 'rack', description: '', asn: 65_001, bgpAnnounceSetId: 'own' }
  await fleet.networkingBgpConfigCreate({ body })
}

/** Makes an announce set with networks of the lot `pools`, or replaces it. */
export const announce = (
  world: TestWorld,
  name: string,
  networks: readonly string[],
  query: { confirmWithin?: number } = {},
) =>
  world.as('fleetAdmin').networkingBgpAnnounceSetUpdate({
    query,
    body: {
      name,
      description: '',
      announcement: networks.map((network) => ({ addressLotBlock: 'pools', network })),
    },
  })
