import { op } from '../op.ts'
import { array, boolean, defaulted, named, nullable, object, optional, words } from '../schema.ts'
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
const InstanceNetworkInterfaceResultsPage = named(
  'InstanceNetworkInterfaceResultsPage',
  page(InstanceNetworkInterface),
)
export const instanceNetworkInterfaceList = op({
  method: 'GET', path: '/v1/network-interfaces', allow: 'project.viewer', ok: 200, tag: 'instances',
  summary: 'List network interfaces of an instance',
  query: object({ ...byName, instance: NameOrId, ...inProject }),
  response: InstanceNetworkInterfaceResultsPage,
})
const nicPath = { params: object({ interface: NameOrId }), path: '/v1/network-interfaces/{interface}' } as const
const inInstance = object({ instance: optional(NameOrId), ...inProject })
export const instanceNetworkInterfaceCreate = op({
  method: 'POST', path: '/v1/network-interfaces', allow: 'project.collaborator', ok: 201, tag: 'instances',
  summary: 'Create a network interface', query: object({ instance: NameOrId, ...inProject }),
  body: InstanceNetworkInterfaceCreate, response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceView = op({
  ...nicPath, method: 'GET', allow: 'project.viewer', ok: 200, tag: 'instances',
  summary: 'Show a network interface', query: inInstance, response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceUpdate = op({
  ...nicPath, method: 'PUT', allow: 'project.collaborator', ok: 200, tag: 'instances',
  summary: 'Update a network interface', query: inInstance,
  body: named(
    'InstanceNetworkInterfaceUpdate',
    object({
      ...headUpdate,
      /** False changes nothing: an instance with interfaces always has a primary one. */
      primary: defaulted(boolean(), () => false),
      transitIps: defaulted(array(IpNet), () => []),
    }),
  ),
  response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceDelete = op({
  ...nicPath, method: 'DELETE', allow: 'project.collaborator', ok: 204, tag: 'instances',
  summary: 'Delete a network interface', query: inInstance,
})
/** In a subnet interfaces of different instances may have the same name; such pages go by name and id. */
export const vpcSubnetListNetworkInterfaces = op({
  method: 'GET', path: '/v1/vpc-subnets/{subnet}/network-interfaces', allow: 'project.viewer', ok: 200, tag,
  summary: 'List network interfaces in a subnet', params: subnetPath, query: object({ ...byName, ...inVpc }),
  response: InstanceNetworkInterfaceResultsPage,
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
const floatingIpPath = { params: object({ floatingIp: NameOrId }), query: object(inProject), tag: 'floating-ips' } as const
const floatingIpWrite = { ...floatingIpPath, allow: 'project.collaborator' } as const

export const floatingIpList = op({
  method: 'GET', path: '/v1/floating-ips', allow: 'project.viewer', ok: 200, tag: 'floating-ips',
  summary: 'List floating IPs', query: object({ ...byName, ...ofProject }),
  response: named('FloatingIpResultsPage', page(FloatingIp)),
})
export const floatingIpCreate = op({
  method: 'POST', path: '/v1/floating-ips', allow: 'project.collaborator', ok: 201, tag: 'floating-ips',
  summary: 'Create a floating IP', query: object(ofProject),
  body: named(
    'FloatingIpCreate',
    object({ ...newHead, pool: optional(nullable(NameOrId)), ip: optional(nullable(Ip)) }),
  ),
  response: FloatingIp,
})
export const floatingIpView = op({
  ...floatingIpPath, method: 'GET', path: '/v1/floating-ips/{floating_ip}', allow: 'project.viewer', ok: 200,
  summary: 'Show a floating IP', response: FloatingIp,
})
export const floatingIpUpdate = op({
  ...floatingIpWrite, method: 'PUT', path: '/v1/floating-ips/{floating_ip}', ok: 200,
  summary: 'Update a floating IP', body: named('FloatingIpUpdate', object(headUpdate)), response: FloatingIp,
})
export const floatingIpDelete = op({
  ...floatingIpWrite, method: 'DELETE', path: '/v1/floating-ips/{floating_ip}', ok: 204,
  summary: 'Delete a floating IP',
})
export const floatingIpAttach = op({
  ...floatingIpWrite, method: 'POST', path: '/v1/floating-ips/{floating_ip}/attach', ok: 202,
  summary: 'Attach a floating IP to an instance', response: FloatingIp,
  body: named(
    'FloatingIpAttach',
    object({ kind: named('FloatingIpParentKind', words(['instance'])), parent: NameOrId }),
  ),
})
export const floatingIpDetach = op({
  ...floatingIpWrite, method: 'POST', path: '/v1/floating-ips/{floating_ip}/detach', ok: 202,
  summary: 'Detach a floating IP', response: FloatingIp,
})
