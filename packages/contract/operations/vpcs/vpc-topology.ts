/** An overview of the parts of a VPC: an operation of our own, not part of the wire contract. */
import { op } from '#/op.ts'
import { array, boolean, enumOf, integer, nullable, object, ref, unlimited } from '#/schema.ts'
import { Ip, Ipv4Net, Ipv6Net } from '#/schemas/address.ts'
import { inProject } from '#/schemas/identity.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { InstanceState } from '../instances/instances.ts'

const named = { id: Uuid, name: Name }
const count = integer({ min: 0, format: 'uint32' })

const Gateway = ref(
  'TopologyGateway',
  object({ ...named, totalIpPools: count, totalIpAddresses: count }),
)
const Router = ref(
  'TopologyRouter',
  object({
    ...named,
    kind: enumOf(['system', 'custom']),
    totalRoutes: count,
    /** That its routes lead to. */
    gatewayIds: array(Uuid, unlimited),
  }),
)
const Subnet = ref(
  'TopologySubnet',
  object({
    ...named,
    ipv4Block: Ipv4Net,
    ipv6Block: Ipv6Net,
    /** Evaluated before the system router. */
    customRouterId: nullable(Uuid),
    totalInterfaces: count,
  }),
)
const Interface = ref(
  'TopologyInterface',
  object({
    ...named,
    subnetId: Uuid,
    instanceId: Uuid,
    instanceName: Name,
    runState: InstanceState,
    ip: Ip,
    primary: boolean(),
    /** Under which it can be reached from outside. */
    externalIps: array(Ip, unlimited),
  }),
)
/** By name, up to `limits.topology` of each kind. */
export const VpcTopology = ref(
  'VpcTopology',
  object({
    gateways: array(Gateway, unlimited),
    /** That of the system first. */
    routers: array(Router, unlimited),
    subnets: array(Subnet, unlimited),
    /** Of the subnets that are listed, by instance. */
    interfaces: array(Interface, unlimited),
    /** The number in the VPC. If a list is shorter, the rest was left out. */
    totals: object({ gateways: count, routers: count, subnets: count, interfaces: count }),
  }),
)
export const vpcTopology = op({
  method: 'GET', path: '/v1/vpcs/{vpc}/topology', allow: 'project.viewer', ok: 200, tag: 'vpcs',
  summary: 'Show the gateways, routers, subnets and interfaces of a VPC and how they are connected',
  params: object({ vpc: NameOrId }), query: object(inProject), response: VpcTopology,
})
