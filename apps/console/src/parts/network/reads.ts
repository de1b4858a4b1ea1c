/** Networks and addresses that screens read and offer to choose from, each list in full. */
import {
  floatingIpList,
  projectIpPoolList,
  vpcList,
  vpcSubnetList,
} from '@purlin/contract/operations/networks'
import { everyPage, type Item } from '../everyPage.ts'

export type IpPool = Item<typeof projectIpPoolList>
export type FloatingIp = Item<typeof floatingIpList>
export type Vpc = Item<typeof vpcList>

/** The pools that the silo may use. */
export const poolsQuery = () => everyPage(projectIpPoolList, { query: {} })
export const floatingIpsQuery = (project: string) => everyPage(floatingIpList, { query: { project } })
export const vpcsQuery = (project: string) => everyPage(vpcList, { query: { project } })
export const subnetsQuery = (project: string, vpc: string) =>
  everyPage(vpcSubnetList, { query: { project, vpc } })
