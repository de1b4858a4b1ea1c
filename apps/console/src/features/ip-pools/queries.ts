/** Networks and addresses that screens read and offer to choose from, each list in full. */
import { floatingIpList } from '@purlin/contract/operations/floating-ips'
import { projectIpPoolList } from '@purlin/contract/operations/ip-pools'
import { vpcSubnetList } from '@purlin/contract/operations/vpc-subnets'
import { vpcList } from '@purlin/contract/operations/vpcs'
import { everyPage, type Item } from '#/api/everyPage.ts'

export type IpPool = Item<typeof projectIpPoolList>
export type FloatingIp = Item<typeof floatingIpList>
export type Vpc = Item<typeof vpcList>

/** The pools that the silo may use. */
export const poolsQuery = () => everyPage(projectIpPoolList, { query: {} })
export const floatingIpsQuery = (project: string) => everyPage(floatingIpList, { query: { project } })
export const vpcsQuery = (project: string) => everyPage(vpcList, { query: { project } })
export const subnetsQuery = (project: string, vpc: string) =>
  everyPage(vpcSubnetList, { query: { project, vpc } })
