/** What is in a subnet. */
import { vpcSubnetListNetworkInterfaces } from '@purlin/contract/operations/vpc-subnets'
import type { Item } from '#/api/everyPage.ts'
import { load, query } from '#/api/query.ts'

export type Interface = Item<typeof vpcSubnetListNetworkInterfaces>

/** As many of the interfaces in a subnet as a dialog names. */
const shown = 20

/** The first interfaces in a subnet, by id. None if they cannot be read: the server decides then. */
export const interfacesOf = (subnet: string): Promise<Interface[]> =>
  load(query(vpcSubnetListNetworkInterfaces, { params: { subnet }, query: { limit: shown } })).then(
    ({ items }) => items,
    () => [],
  )
