/** Kinds of networks that others refer to without a page of their own. */
import { kinds } from '@purlin/contract/rules/kinds'
import { vpcSubnetView } from '@purlin/contract/operations/vpcs/vpc-subnets'

export const networks = {
  vpcSubnet: { name: 'vpcSubnet', noun: kinds.vpcSubnet.noun, view: vpcSubnetView },
} as const
