/** The parts of a VPC, as the topology tab reads them. */
import { vpcTopology } from '@purlin/contract/operations/vpcs/vpc-topology'
import type { Result } from '@purlin/contract/op'
import { query } from '#/api/query.ts'
import type { VpcTarget } from '#/lib/addresses.ts'

export type Topology = Result<typeof vpcTopology>

/** All parts in one request. */
export const topologyQuery = ({ project, vpc }: VpcTarget) =>
  query(vpcTopology, { params: { vpc }, query: { project } })
