/** Kinds of networks that others refer to and that have no page. */
import { kinds } from '@purlin/contract/rules/kinds'
import { vpcSubnetView } from '@purlin/contract/operations/vpcs/vpc-subnets'

export const networks = {
  vpcSubnet: { name: 'vpcSubnet', noun: kinds.vpcSubnet.noun, view: vpcSubnetView },
} as const
