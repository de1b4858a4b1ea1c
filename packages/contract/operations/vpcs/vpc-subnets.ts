import { op } from '#/op.ts'
import { nullable, object, optional, ref } from '#/schema.ts'
import { Ipv4Net, Ipv6Net } from '#/schemas/address.ts'
import { identity, inProject, tagged, taggedGiven } from '#/schemas/identity.ts'
import { byNameOf } from '#/schemas/page.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { instanceNetworkInterfaceList } from './network-interfaces.ts'
import { plainOps } from '../plain.ts'

export const VpcSubnet = ref(
  'VpcSubnet',
  object({
    ...identity, ...tagged, vpcId: Uuid, ipv4Block: Ipv4Net, ipv6Block: Ipv6Net,
    customRouterId: optional(nullable(Uuid)),
  }),
)

export const { vpcSubnetList, vpcSubnetCreate, vpcSubnetView, vpcSubnetUpdate, vpcSubnetDelete } = plainOps('vpcSubnet', {
  response: VpcSubnet, tag: 'vpcs',
  create: {
    ipv4Block: Ipv4Net,
    ipv6Block: optional(nullable(Ipv6Net)),
    customRouter: optional(nullable(NameOrId)),
    ...taggedGiven,
  },
  update: { customRouter: optional(nullable(NameOrId)), ...taggedGiven },
})
/** Interfaces of different instances may have the same name in a subnet, so pages are ordered by name and id. */
export const vpcSubnetListNetworkInterfaces = op({
  method: 'GET', path: '/v1/vpc-subnets/{subnet}/network-interfaces', allow: 'project.viewer', ok: 200, tag: 'vpcs',
  params: object({ subnet: NameOrId }),
  query: object({ ...byNameOf('networkInterface'), vpc: optional(NameOrId), ...inProject }),
  response: instanceNetworkInterfaceList.response,
})
