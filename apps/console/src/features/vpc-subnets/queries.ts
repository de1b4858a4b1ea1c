/** The content of a subnet. */
import { vpcSubnetListNetworkInterfaces } from '@purlin/contract/operations/vpcs/vpc-subnets'
import type { Item } from '#/api/everyPage.ts'
import { load, query } from '#/api/query.ts'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'

/** An interface, and the name of its instance if that can be read. */
export interface InterfaceIn {
  nic: Item<typeof vpcSubnetListNetworkInterfaces>
  instance: string | undefined
}

/** As many of the interfaces in a subnet as a dialog names. */
const named = 5

/** The first interfaces in a subnet, and whether there are more. */
export interface FirstInterfaces {
  interfaces: InterfaceIn[]
  hasMore: boolean
}

/** The first interfaces in a subnet, by its id. None if they cannot be read: the server decides then. */
export async function interfacesIn(subnet: string): Promise<FirstInterfaces> {
  // One more than are named tells whether there are more.
  const read = query(vpcSubnetListNetworkInterfaces, { params: { subnet }, query: { limit: named + 1 } })
  const nics = await load(read).then(
    ({ items }) => items,
    () => [],
  )
  const first = nics.slice(0, named)
  const interfaces = first.map(async (nic) => ({ nic, instance: await nameOf(nic.instanceId) }))
  return { interfaces: await Promise.all(interfaces), hasMore: nics.length > named }
}

const nameOf = (instance: string): Promise<string | undefined> =>
  load(viewQuery(kinds.instance, instance)).then(
    ({ name }) => name,
    () => undefined,
  )
