/** What a VPC is made of, as the topology tab reads it. */
import { vpcTopology } from '@purlin/contract/operations/vpcs/vpc-topology'
import type { Result } from '@purlin/contract/op'
import { query } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Topology = Result<typeof vpcTopology>

/** Everything at once. */
export const topologyQuery = ({ project, vpc }: VpcTarget) =>
  query(vpcTopology, { params: { vpc }, query: { project } })
