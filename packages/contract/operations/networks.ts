import { op } from '../op.ts'
import { array, boolean, defaulted, named, nullable, object, optional } from '../schema.ts'
import { head, headUpdate, inProject, newHead, ofProject } from '../schemas/identity.ts'
import { byName, page } from '../schemas/page.ts'
import { Ip, IpNet, Ipv4Net, Ipv6Net, MacAddr } from '../schemas/address.ts'
import { Name, NameOrId, Uuid } from '../schemas/scalar.ts'

const tag = 'vpcs'

export const Vpc = named(
  'Vpc',
  object({ ...head, projectId: Uuid, systemRouterId: Uuid, ipv6Prefix: Ipv6Net, dnsName: Name }),
)
const vpcPath = object({ vpc: NameOrId })

export const vpcList = op({
  method: 'GET', path: '/v1/vpcs', allow: 'project.viewer', ok: 200, tag, summary: 'List VPCs',
  query: object({ ...byName, ...ofProject }), response: named('VpcResultsPage', page(Vpc)),
})
export const vpcCreate = op({
  method: 'POST', path: '/v1/vpcs', allow: 'project.collaborator', ok: 201, tag, summary: 'Create a VPC',
  query: object(ofProject),
  body: named('VpcCreate', object({ ...newHead, dnsName: Name, ipv6Prefix: optional(nullable(Ipv6Net)) })),
  response: Vpc,
})
export const vpcView = op({
  method: 'GET', path: '/v1/vpcs/{vpc}', allow: 'project.viewer', ok: 200, tag, summary: 'Show a VPC',
  params: vpcPath, query: object(inProject), response: Vpc,
})
export const vpcUpdate = op({
  method: 'PUT', path: '/v1/vpcs/{vpc}', allow: 'project.collaborator', ok: 200, tag, summary: 'Update a VPC',
  params: vpcPath, query: object(inProject),
  body: named('VpcUpdate', object({ ...headUpdate, dnsName: optional(nullable(Name)) })), response: Vpc,
})
export const vpcDelete = op({
  method: 'DELETE', path: '/v1/vpcs/{vpc}', allow: 'project.collaborator', ok: 204, tag, summary: 'Delete a VPC',
  params: vpcPath, query: object(inProject),
})

export const VpcSubnet = named(
  'VpcSubnet',
  object({ ...head, vpcId: Uuid, ipv4Block: Ipv4Net, ipv6Block: Ipv6Net, customRouterId: optional(nullable(Uuid)) }),
)
const subnetPath = object({ subnet: NameOrId })
const inVpc = { vpc: optional(NameOrId), ...inProject }
const ofVpc = { vpc: NameOrId, ...inProject }

export const vpcSubnetList = op({
  method: 'GET', path: '/v1/vpc-subnets', allow: 'project.viewer', ok: 200, tag, summary: 'List subnets of a VPC',
  query: object({ ...byName, ...ofVpc }), response: named('VpcSubnetResultsPage', page(VpcSubnet)),
})
export const vpcSubnetCreate = op({
  method: 'POST', path: '/v1/vpc-subnets', allow: 'project.collaborator', ok: 201, tag, summary: 'Create a subnet',
  query: object(ofVpc),
  body: named(
    'VpcSubnetCreate',
    object({
      ...newHead,
      ipv4Block: Ipv4Net,
      ipv6Block: optional(nullable(Ipv6Net)),
      customRouter: optional(nullable(NameOrId)),
    }),
  ),
  response: VpcSubnet,
})
export const vpcSubnetView = op({
  method: 'GET', path: '/v1/vpc-subnets/{subnet}', allow: 'project.viewer', ok: 200, tag, summary: 'Show a subnet',
  params: subnetPath, query: object(inVpc), response: VpcSubnet,
})
export const vpcSubnetUpdate = op({
  method: 'PUT', path: '/v1/vpc-subnets/{subnet}', allow: 'project.collaborator', ok: 200, tag,
  summary: 'Update a subnet', params: subnetPath, query: object(inVpc),
  body: named('VpcSubnetUpdate', object({ ...headUpdate, customRouter: optional(nullable(NameOrId)) })),
  response: VpcSubnet,
})
export const vpcSubnetDelete = op({
  method: 'DELETE', path: '/v1/vpc-subnets/{subnet}', allow: 'project.collaborator', ok: 204, tag,
  summary: 'Delete a subnet', params: subnetPath, query: object(inVpc),
})

export const InstanceNetworkInterface = named(
  'InstanceNetworkInterface',
  object({
    ...head,
    instanceId: Uuid,
    vpcId: Uuid,
    subnetId: Uuid,
    mac: MacAddr,
    ip: Ip,
    primary: boolean(),
    transitIps: defaulted(array(IpNet), () => []),
  }),
)
export const InstanceNetworkInterfaceCreate = named(
  'InstanceNetworkInterfaceCreate',
  object({
    ...newHead,
    vpcName: Name,
    subnetName: Name,
    ip: optional(nullable(Ip)),
    transitIps: defaulted(array(IpNet), () => []),
  }),
)
export const instanceNetworkInterfaceList = op({
  method: 'GET', path: '/v1/network-interfaces', allow: 'project.viewer', ok: 200, tag: 'instances',
  summary: 'List network interfaces of an instance',
  query: object({ ...byName, instance: NameOrId, ...inProject }),
  response: named('InstanceNetworkInterfaceResultsPage', page(InstanceNetworkInterface)),
})
export const instanceNetworkInterfaceView = op({
  method: 'GET', path: '/v1/network-interfaces/{interface}', allow: 'project.viewer', ok: 200, tag: 'instances',
  summary: 'Show a network interface', params: object({ interface: NameOrId }),
  query: object({ instance: optional(NameOrId), ...inProject }), response: InstanceNetworkInterface,
})

export const SiloIpPool = named('SiloIpPool', object({ ...head, isDefault: boolean() }))
export const projectIpPoolList = op({
  method: 'GET', path: '/v1/ip-pools', allow: 'user', ok: 200, tag: 'projects',
  summary: 'List the IP pools that the silo may use', query: object(byName),
  response: named('SiloIpPoolResultsPage', page(SiloIpPool)),
})
export const projectIpPoolView = op({
  method: 'GET', path: '/v1/ip-pools/{pool}', allow: 'user', ok: 200, tag: 'projects', summary: 'Show an IP pool',
  params: object({ pool: NameOrId }), response: SiloIpPool,
})

export const floatingIpFields = {
  ...head,
  ip: Ip,
  ipPoolId: Uuid,
  projectId: Uuid,
  instanceId: optional(nullable(Uuid)),
}
export const FloatingIp = named('FloatingIp', object(floatingIpFields))
export const floatingIpList = op({
  method: 'GET', path: '/v1/floating-ips', allow: 'project.viewer', ok: 200, tag: 'floating-ips',
  summary: 'List floating IPs', query: object({ ...byName, ...ofProject }),
  response: named('FloatingIpResultsPage', page(FloatingIp)),
})
export const floatingIpView = op({
  method: 'GET', path: '/v1/floating-ips/{floating_ip}', allow: 'project.viewer', ok: 200, tag: 'floating-ips',
  summary: 'Show a floating IP', params: object({ floatingIp: NameOrId }), query: object(inProject),
  response: FloatingIp,
})
