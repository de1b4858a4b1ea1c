/** VPCs, subnets, routers and gateways that screens name and offer to choose from, each list in full. */
import { internetGatewayList } from '@purlin/contract/operations/vpcs/internet-gateways'
import { vpcRouterList } from '@purlin/contract/operations/vpcs/vpc-routers'
import { vpcSubnetList } from '@purlin/contract/operations/vpcs/vpc-subnets'
import { vpcList } from '@purlin/contract/operations/vpcs/vpcs'
import { everyPage, type Item } from '#/api/everyPage.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Vpc = Item<typeof vpcList>

export const vpcsQuery = (project: string) => everyPage(vpcList, { query: { project } })
export const subnetsQuery = (project: string, vpc: string) =>
  everyPage(vpcSubnetList, { query: { project, vpc } })

export type Router = Item<typeof vpcRouterList>
export const routersQuery = ({ project, vpc }: VpcTarget) =>
  everyPage(vpcRouterList, { query: { project, vpc } })
export const gatewaysQuery = ({ project, vpc }: VpcTarget) =>
  everyPage(internetGatewayList, { query: { project, vpc } })
