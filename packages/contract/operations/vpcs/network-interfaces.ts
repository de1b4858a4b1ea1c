import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, nullable, object, optional, ref, unlimited } from '#/schema.ts'
import { Ip, IpNet, MacAddr } from '#/schemas/address.ts'
import { identity } from '#/schemas/identity.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

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
export const {
  instanceNetworkInterfaceList, instanceNetworkInterfaceCreate, instanceNetworkInterfaceView,
  instanceNetworkInterfaceUpdate, instanceNetworkInterfaceDelete,
} = plainOps('networkInterface', {
  response: InstanceNetworkInterface, schema: 'InstanceNetworkInterface', tag: 'instances',
  create: { vpcName: Name, subnetName: Name, ip: optional(nullable(Ip)), transitIps: defaulted(TransitIps, () => []) },
  update: {
    /** False changes nothing: an instance with interfaces always has a primary one. */
    primary: defaulted(boolean(), () => false),
    transitIps: defaulted(TransitIps, () => []),
  },
})
