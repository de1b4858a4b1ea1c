/** Explains what a VPC's network does with a packet: an operation of our own, not part of the wire contract. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, string, union, unlimited } from '#/schema.ts'
import { Ip, IpNet } from '#/schemas/address.ts'
import { inProject } from '#/schemas/identity.ts'
import { uint16, uint8 } from '#/schemas/integers.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { TraceAddress, TraceReason } from '#/schemas/trace.ts'
import { RouteDestination, RouteTarget } from './vpc-routers.ts'
import { VpcFirewallRuleUpdate } from './vpc-firewall-rules.ts'

/** An instance means its primary interface in the VPC; an address means the interface that has it, if there is one. */
const End = ref(
  'TraceEnd',
  union('type', { instance: { value: NameOrId }, interface: { value: Uuid }, ip: { value: Ip } }),
)
const Port = integer({ min: 1, max: 65_535, format: 'uint16' })
const Protocol = ref(
  'TraceProtocol',
  union('type', { tcp: { port: Port }, udp: { port: Port }, icmp: { icmpType: uint8, code: uint8 }, other: {} }),
)

const step = { result: enumOf(['pass', 'drop']), reason: TraceReason, text: string(unlimited) }

const at = { instanceId: nullable(Uuid), interfaceId: Uuid }
const Rule = ref(
  'TraceRule',
  object({ id: Uuid, name: Name, action: enumOf(['allow', 'deny']), priority: uint16 }),
)
const Route = ref('TraceRoute', object({ id: Uuid, name: Name, routerId: Uuid, destination: IpNet }))
const firewall = { ...step, ...at, rule: nullable(Rule) }
/** In the order in which a packet passes them. The last one drops it or delivers it. */
export const TraceStep = ref(
  'TraceStep',
  union('type', {
    source_check: { ...step, instanceId: nullable(Uuid), interfaceId: nullable(Uuid), address: Ip },
    firewall_out: firewall,
    route: { ...step, route: nullable(Route), candidates: array(Route, unlimited) },
    gateway: { ...step, gatewayId: Uuid, address: nullable(TraceAddress) },
    external_address: { ...step, address: nullable(TraceAddress) },
    firewall_in: firewall,
    delivery: { ...step, instanceId: nullable(Uuid), interfaceId: nullable(Uuid), address: Ip },
  }),
)
export const VpcTrace = ref(
  'VpcTrace',
  object({ result: enumOf(['pass', 'drop']), text: string(unlimited), steps: array(TraceStep, unlimited) }),
)

const rules = { count: limits.firewall.rules, noun: 'rules', isRule: true } as const
/** A change that is not made. */
export const VpcChange = ref(
  'VpcChange',
  union('type', {
    firewall_rules: { rules: defaulted(array(VpcFirewallRuleUpdate, rules), () => []) },
    detach_ip_pool: { id: Uuid },
    detach_ip_address: { id: Uuid },
    delete_gateway: { id: Uuid },
    delete_route: { id: Uuid },
    /** A new route of a router, or a changed one. */
    set_route: {
      routerId: Uuid,
      id: optional(nullable(Uuid)),
      name: Name,
      destination: RouteDestination,
      target: RouteTarget,
    },
    delete_subnet: { id: Uuid },
    /** Instances without interfaces in the VPC lose nothing. */
    delete_instances: { ids: array(Uuid, { count: limits.trace.instances, noun: 'instances' }) },
    delete_interface: { id: Uuid },
    /** Rules and routes follow the new name. */
    rename_vpc: {},
    rename_subnet: { id: Uuid },
  }),
)
export const VpcTraceRequest = ref(
  'VpcTraceRequest',
  object({
    source: End,
    destination: End,
    protocol: Protocol,
    sourceAddress: optional(nullable(Ip)),
    assumeRunning: defaulted(boolean(), () => false),
    change: optional(nullable(VpcChange)),
  }),
)
export const vpcTrace = op({
  method: 'POST', path: '/v1/vpcs/{vpc}/trace', allow: 'project.viewer', ok: 200, changesNothing: true, tag: 'vpcs',
  params: object({ vpc: NameOrId }), query: object(inProject), bodyLimit: limits.firewall.body,
  body: VpcTraceRequest, response: VpcTrace,
})
