/** The IP pools that screens read and offer to choose from, in full. */
import type { floatingIpList } from '@purlin/contract/operations/addresses/floating-ips'
import { projectIpPoolList } from '@purlin/contract/operations/addresses/ip-pools'
import { everyPage, type Item } from '#/api/everyPage.ts'

export type IpPool = Item<typeof projectIpPoolList>
export type FloatingIp = Item<typeof floatingIpList>

/** The pools that the silo may use. */
export const poolsQuery = () => everyPage(projectIpPoolList, { query: {} })
