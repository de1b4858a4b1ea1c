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
  const { items: racks } = await operator.rackList({ query: { limit: 1 } })
  for (const { id: rackId } of racks)
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
