/** Internet gateways of a VPC, and the pools and addresses that packets may leave through them with. */
import { boolean, integer, nullable, object, optional, ref } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { identity, tagged, taggedGiven } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'vpcs'
/** If true, the delete also removes the references that would otherwise block it. */
const remove = { cascade: optional(boolean()) }

const count = integer({ min: 0, format: 'uint32' })
/** The attachments of a gateway, the first of each kind by name, and the number of routes to it. */
const Attached = ref(
  'InternetGatewayAttached',
  object({
    ipPoolId: nullable(Uuid),
    totalIpPools: count,
    address: nullable(Ip),
    totalIpAddresses: count,
    totalRoutes: count,
  }),
)
export const InternetGateway = ref(
  'InternetGateway',
  object({
    ...identity,
    ...tagged,
    vpcId: Uuid,
    /** In lists that ask for it. Not part of the original API. */
    attached: optional(Attached),
  }),
)
export const { internetGatewayList, internetGatewayCreate, internetGatewayView, internetGatewayDelete } = plainOps(
  'internetGateway',
  { response: InternetGateway, create: taggedGiven, remove, list: { attached: optional(boolean()) }, tag },
)

export const InternetGatewayIpPool = ref(
  'InternetGatewayIpPool',
  object({ ...identity, internetGatewayId: Uuid, ipPoolId: Uuid }),
)
export const { internetGatewayIpPoolList, internetGatewayIpPoolCreate, internetGatewayIpPoolDelete } = plainOps(
  'internetGatewayIpPool',
  { response: InternetGatewayIpPool, create: { ipPool: NameOrId }, remove, tag },
)

export const InternetGatewayIpAddress = ref(
  'InternetGatewayIpAddress',
  object({ ...identity, internetGatewayId: Uuid, address: Ip }),
)
export const { internetGatewayIpAddressList, internetGatewayIpAddressCreate, internetGatewayIpAddressDelete } =
  plainOps('internetGatewayIpAddress', { response: InternetGatewayIpAddress, create: { address: Ip }, remove, tag })
