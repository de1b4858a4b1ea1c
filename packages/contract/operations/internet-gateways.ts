/** Internet gateways of a VPC, and the pools and addresses that packets may leave through them with. */
import { boolean, object, optional, ref } from '../schema.ts'
import { Ip } from '../schemas/address.ts'
import { identity } from '../schemas/identity.ts'
import { NameOrId, Uuid } from '../schemas/scalar.ts'
import { plainOps } from './plain.ts'

const tag = 'vpcs'
/** Whether a deletion also does what it would otherwise be refused for. */
const remove = { cascade: optional(boolean()) }

export const InternetGateway = ref('InternetGateway', object({ ...identity, vpcId: Uuid }))
export const { internetGatewayList, internetGatewayCreate, internetGatewayView, internetGatewayDelete } = plainOps(
  'internetGateway',
  { response: InternetGateway, create: {}, remove, tag },
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
