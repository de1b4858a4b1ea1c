import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, nullable, object, optional, ref, unlimited } from '#/schema.ts'
import { Ip, IpNet, MacAddr } from '#/schemas/address.ts'
import { identity, identityCreate, identityUpdate, inProject } from '#/schemas/identity.ts'
import { byName, page } from '#/schemas/page.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'

const tag = 'instances'
const TransitIps = array(IpNet, { count: limits.nic.transitIps, noun: 'transit IPs' })

export const InstanceNetworkInterface = ref(
  'InstanceNetworkInterface',
  object({
    ...identity,
    instanceId: Uuid,
    vpcId: Uuid,
    subnetId: Uuid,
    mac: MacAddr,
    ip: Ip,
    primary: boolean(),
    transitIps: defaulted(array(IpNet, unlimited), () => []),
  }),
)
export const InstanceNetworkInterfaceCreate = ref(
  'InstanceNetworkInterfaceCreate',
  object({
    ...identityCreate,
    vpcName: Name,
    subnetName: Name,
    ip: optional(nullable(Ip)),
    transitIps: defaulted(TransitIps, () => []),
  }),
)
export const InstanceNetworkInterfaceResultsPage = ref(
  'InstanceNetworkInterfaceResultsPage',
  page(InstanceNetworkInterface),
)
export const instanceNetworkInterfaceList = op({
  method: 'GET', path: '/v1/network-interfaces', allow: 'project.viewer', ok: 200, tag,
  summary: 'List network interfaces of an instance',
  query: object({ ...byName, instance: NameOrId, ...inProject }),
  response: InstanceNetworkInterfaceResultsPage,
})
const nicPath = { params: object({ interface: NameOrId }), path: '/v1/network-interfaces/{interface}' } as const
const inInstance = object({ instance: optional(NameOrId), ...inProject })
export const instanceNetworkInterfaceCreate = op({
  method: 'POST', path: '/v1/network-interfaces', allow: 'project.collaborator', ok: 201, tag,
  summary: 'Create a network interface', query: object({ instance: NameOrId, ...inProject }),
  body: InstanceNetworkInterfaceCreate, response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceView = op({
  ...nicPath, method: 'GET', allow: 'project.viewer', ok: 200, tag,
  summary: 'Show a network interface', query: inInstance, response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceUpdate = op({
  ...nicPath, method: 'PUT', allow: 'project.collaborator', ok: 200, tag,
  summary: 'Update a network interface', query: inInstance,
  body: ref(
    'InstanceNetworkInterfaceUpdate',
    object({
      ...identityUpdate,
      /** False changes nothing: an instance with interfaces always has a primary one. */
      primary: defaulted(boolean(), () => false),
      transitIps: defaulted(TransitIps, () => []),
    }),
  ),
  response: InstanceNetworkInterface,
})
export const instanceNetworkInterfaceDelete = op({
  ...nicPath, method: 'DELETE', allow: 'project.collaborator', ok: 204, tag,
  summary: 'Delete a network interface', query: inInstance,
})
