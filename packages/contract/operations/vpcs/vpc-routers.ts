/** Routers of a VPC and their routes. A route refers to subnets, instances and gateways by name. */
import { enumOf, object, ref, union } from '#/schema.ts'
import { Ip, IpNet } from '#/schemas/address.ts'
import { identity, tagged, taggedGiven } from '#/schemas/identity.ts'
import { Name, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'

const tag = 'vpcs'

const VpcRouter = ref(
  'VpcRouter',
  object({ ...identity, ...tagged, vpcId: Uuid, kind: ref('VpcRouterKind', enumOf(['system', 'custom'])) }),
)
export const { vpcRouterList, vpcRouterCreate, vpcRouterView, vpcRouterUpdate, vpcRouterDelete } = plainOps(
  'vpcRouter',
  { response: VpcRouter, create: taggedGiven, update: taggedGiven, tag },
)

const destinations = { ip: { value: Ip }, ip_net: { value: IpNet }, vpc: { value: Name }, subnet: { value: Name } }
/** The destination of packets that the route applies to. */
export const RouteDestination = ref('RouteDestination', union('type', destinations))
/** Where a route sends them. */
export const RouteTarget = ref(
  'RouteTarget',
  union('type', {
    ip: { value: Ip },
    vpc: { value: Name },
    subnet: { value: Name },
    instance: { value: Name },
    internet_gateway: { value: Name },
    drop: {},
  }),
)
const way = { destination: RouteDestination, target: RouteTarget }

const RouterRoute = ref(
  'RouterRoute',
  object({
    ...identity,
    vpcRouterId: Uuid,
    kind: ref('RouterRouteKind', enumOf(['default', 'vpc_subnet', 'vpc_peering', 'custom'])),
    ...way,
  }),
)
export const {
  vpcRouterRouteList, vpcRouterRouteCreate, vpcRouterRouteView, vpcRouterRouteUpdate, vpcRouterRouteDelete,
} = plainOps('vpcRouterRoute', { response: RouterRoute, create: way, update: way, tag })
