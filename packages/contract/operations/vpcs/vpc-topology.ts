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
    gatewayIds: array(Uuid, unlimited),
  }),
)
const Subnet = ref(
  'TopologySubnet',
  object({
    ...named,
    ipv4Block: Ipv4Net,
    ipv6Block: Ipv6Net,
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
    externalIps: array(Ip, unlimited),
  }),
)
/** A probe with its interface. */
const Probe = ref(
  'TopologyProbe',
  object({ ...named, subnetId: Uuid, interfaceId: Uuid, ip: Ip, externalIps: array(Ip, unlimited) }),
)
/** By name, up to `limits.topology` of each kind. */
export const VpcTopology = ref(
  'VpcTopology',
  object({
    gateways: array(Gateway, unlimited),
    routers: array(Router, unlimited),
    subnets: array(Subnet, unlimited),
    interfaces: array(Interface, unlimited),
    probes: array(Probe, unlimited),
    totals: object({ gateways: count, routers: count, subnets: count, interfaces: count, probes: count }),
  }),
)
export const vpcTopology = op({
  method: 'GET', path: '/v1/vpcs/{vpc}/topology', allow: 'project.viewer', ok: 200, tag: 'vpcs',
  params: object({ vpc: NameOrId }), query: object(inProject), response: VpcTopology,
})
