/** IP pools and floating IPs that screens read and offer to choose from, each list in full. */
import { floatingIpList } from '@purlin/contract/operations/floating-ips'
import { projectIpPoolList } from '@purlin/contract/operations/ip-pools'
import { everyPage, type Item } from '#/api/everyPage.ts'

export type IpPool = Item<typeof projectIpPoolList>
export type FloatingIp = Item<typeof floatingIpList>

/** The pools that the silo may use. */
export const poolsQuery = () => everyPage(projectIpPoolList, { query: {} })
export const floatingIpsQuery = (project: string) => everyPage(floatingIpList, { query: { project } })
