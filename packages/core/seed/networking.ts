/** The network outside of the racks in the demo. */
import type { Client } from '@purlin/contract/client'
import type { Operations } from '@purlin/contract/operations'
import { switchLocations } from '@purlin/contract/rules/networking'

/** Makes an address lot of each kind, and gives each switch of the first rack a loopback address. */
export async function makeAddressLots(operator: Client<Operations>): Promise<void> {
  await operator.networkingAddressLotCreate({
    body: {
      name: 'public-v4',
      description: 'Addresses reachable from the internet',
      kind: 'pool',
      blocks: [{ firstAddress: '203.0.113.0', lastAddress: '203.0.113.255' }],
    },
  })
  await operator.networkingAddressLotCreate({
    body: {
      name: 'rack-infrastructure',
      description: 'Addresses of the switches and their uplinks',
      kind: 'infra',
      blocks: [
        { firstAddress: '192.0.2.0', lastAddress: '192.0.2.15' },
        { firstAddress: '192.0.2.32', lastAddress: '192.0.2.47' },
      ],
    },
  })
  for (const rackId of await racksOf(operator))
    for (const [i, switchLocation] of switchLocations.entries())
      await operator.networkingLoopbackAddressCreate({
        body: {
          addressLot: 'rack-infrastructure',
          rackId,
          switchLocation,
          address: `192.0.2.${i + 1}`,
          mask: 32,
          anycast: false,
        },
      })
}

/** The first rack with switches, if there is one: racks of hosts that have joined may have none. */
async function racksOf(operator: Client<Operations>): Promise<string[]> {
  const { items } = await operator.switchList({ query: { limit: 1 } })
  return items.map(({ rackId }) => rackId)
}

/** Each switch of the first rack with switches has an uplink, on which it announces the public addresses to a router. */
export async function makeUplinks(operator: Client<Operations>): Promise<void> {
  await operator.networkingBgpAnnounceSetUpdate({
    query: {},
    body: {
      name: 'public',
      description: 'Addresses of instances',
      announcement: [{ addressLotBlock: 'public-v4', network: '203.0.113.0/24' }],
    },
  })
  const config = { name: 'rack', description: 'The switches of this site', asn: 65_001 }
  await operator.networkingBgpConfigCreate({ body: { ...config, bgpAnnounceSetId: 'public' } })
  for (const rackId of await racksOf(operator))
    for (const [i, switchLocation] of switchLocations.entries()) {
      const remote = `192.0.2.${34 + 4 * i}`
      const portSettings = `uplink-${i}`
      const address = `192.0.2.${33 + 4 * i}/30`
      await operator.networkingSwitchPortSettingsCreate({
        query: {},
        body: uplink(portSettings, address, remote),
      })
      const query = { rackId, switchLocation }
      await operator.networkingSwitchPortApplySettings({
        params: { port: 'qsfp0' },
        query,
        body: { portSettings },
      })
      const detection = { mode: 'single_hop', detectionThreshold: 3, requiredRx: 300_000 } as const
      await operator.networkingBfdEnable({ body: { ...detection, switch: switchLocation, remote } })
    }
}

type Settings = Parameters<Client<Operations>['networkingSwitchPortSettingsCreate']>[0]['body']

/** Settings with an address and a BGP peer on one link. */
const uplink = (name: string, address: string, peer: string): Settings => ({
  name,
  description: 'An uplink to the routers of the site',
  portConfig: { geometry: 'qsfp28x1' },
  links: [
    {
      linkName: 'phy0',
      mtu: 9216,
      speed: 'speed100_g',
      autoneg: false,
      fec: 'rs',
      lldp: { enabled: true },
    },
  ],
  addresses: [{ linkName: 'phy0', addresses: [{ addressLot: 'rack-infrastructure', address }] }],
  routes: [],
  bgpPeers: [
    {
      linkName: 'phy0',
      peers: [
        {
          addr: peer,
          bgpConfig: 'rack',
          interfaceName: 'phy0',
          remoteAsn: 64_500,
          holdTime: 9,
          keepalive: 3,
          idleHoldTime: 3,
          delayOpen: 0,
          connectRetry: 3,
          communities: [],
          enforceFirstAs: true,
          allowedImport: { type: 'no_filtering' },
          allowedExport: { type: 'no_filtering' },
        },
      ],
    },
  ],
})
