/** VPCs and subnets that screens name and offer to choose from, each list in full. */
import { vpcSubnetList } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { everyPage, type Item } from '#/api/everyPage.ts'

export type Vpc = Item<typeof vpcList>

export const vpcsQuery = (project: string) => everyPage(vpcList, { query: { project } })
export const subnetsQuery = (project: string, vpc: string) =>
  everyPage(vpcSubnetList, { query: { project, vpc } })
