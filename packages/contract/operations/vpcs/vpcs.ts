import { boolean, integer, nullable, object, optional, ref } from '#/schema.ts'
import { Ipv6Net } from '#/schemas/address.ts'
import { identity, kept, keptGiven } from '#/schemas/identity.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

export const Vpc = ref(
  'Vpc',
  object({
    ...identity,
    ...kept,
    projectId: Uuid,
    systemRouterId: Uuid,
    ipv6Prefix: Ipv6Net,
    dnsName: Name,
    /** In lists that ask for it. Not part of the original API. */
    totalFirewallRules: optional(integer({ min: 0, format: 'uint32' })),
  }),
)

export const { vpcList, vpcCreate, vpcView, vpcUpdate, vpcDelete } = plainOps('vpc', {
  response: Vpc, create: { dnsName: Name, ipv6Prefix: optional(nullable(Ipv6Net)), ...keptGiven },
  update: { dnsName: optional(nullable(Name)), ...keptGiven }, list: { totalFirewallRules: optional(boolean()) },
  // Of our own: the contract's delete takes no VPC with subnets.
  remove: { cascade: optional(boolean()) },
})
