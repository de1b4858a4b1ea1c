/** What rules, routes and changes of them amount to: operations of our own, beside those of the wire contract. */
import { op } from '../op.ts'
import { limits } from '../rules/limits.ts'
import { array, boolean, enumOf, integer, nullable, object, ref, string, unlimited } from '../schema.ts'
import { inProject } from '../schemas/identity.ts'
import { uint16 } from '../schemas/integers.ts'
import { Name, NameOrId, Uuid } from '../schemas/scalar.ts'
import { TraceAddress, TraceReason, VpcChange } from './vpc-trace.ts'

const tag = 'vpcs'
const ofVpc = { params: object({ vpc: NameOrId }), query: object(inProject) } as const

const RuleEffect = ref(
  'VpcRuleEffect',
  object({
    ruleId: Uuid,
    name: Name,
    /** Whether it does nothing, or less than it seems to. */
    effect: enumOf(['none', 'partial']),
    reason: enumOf(['disabled', 'no_target', 'no_interface', 'no_host', 'shadowed', 'ports_ignored', 'names_missing']),
    text: string(unlimited),
    /** The rule that decides before it. */
    byRuleId: nullable(Uuid),
  }),
)
const RouteEffect = ref(
  'VpcRouteEffect',
  object({
    routeId: Uuid,
    routerId: Uuid,
    name: Name,
    effect: enumOf(['none']),
    reason: enumOf([
      'no_destination', 'no_target', 'other_family', 'router_unused', 'overridden', 'nothing_attached',
      'nobody_has_target', 'not_accepted',
    ]),
    text: string(unlimited),
  }),
)
/** The rules and routes that have no effect, or less than they seem to have. */
export const VpcEffects = ref(
  'VpcEffects',
  object({ rules: array(RuleEffect, unlimited), routes: array(RouteEffect, unlimited) }),
)
export const vpcEffects = op({
  ...ofVpc, method: 'GET', path: '/v1/vpcs/{vpc}/effects', allow: 'project.viewer', ok: 200, tag,
  summary: 'List the rules and routes of a VPC that have no effect, and why', response: VpcEffects,
})

const verdict = { result: enumOf(['pass', 'drop']), reason: TraceReason, text: string(unlimited) }
const Open = ref(
  'OpenPorts',
  object({ protocol: enumOf(['tcp', 'udp', 'icmp', 'other']), firstPort: nullable(uint16), lastPort: nullable(uint16) }),
)
/** Of the primary interface of an instance, as if it were running. */
export const InstanceReachability = ref(
  'InstanceReachability',
  object({
    running: boolean(),
    vpcId: nullable(Uuid),
    /** Whether it reaches the outside. */
    outbound: object({ ...verdict, address: nullable(TraceAddress) }),
    /** Whether it can be reached from outside, under which addresses, and by what from anywhere. */
    inbound: object({ ...verdict, addresses: array(TraceAddress, unlimited), open: array(Open, unlimited) }),
  }),
)
export const instanceReachability = op({
  method: 'GET', path: '/v1/instances/{instance}/reachability', allow: 'project.viewer', ok: 200, tag: 'instances',
  summary: 'Show whether an instance reaches the outside and can be reached', params: object({ instance: NameOrId }),
  query: object(inProject), response: InstanceReachability,
})

const VpcReference = ref(
  'VpcReference',
  object({
    kind: enumOf(['firewall_rule', 'route']),
    id: Uuid,
    name: Name,
    /** Of a route, the name of its router. */
    router: nullable(Name),
    /** Whether it does anything after the change. */
    hasEffect: boolean(),
    /** What it does after the change. */
    text: string(unlimited),
  }),
)
const losses = ['ssh_from_anywhere', 'ssh_from_named', 'ssh_from_inside', 'way_out'] as const
export const VpcPreview = ref(
  'VpcPreview',
  object({
    /** Running instances that would lose something, by name: the first hundred. */
    instances: array(
      object({ instanceId: Uuid, name: Name, losses: array(ref('VpcLoss', enumOf(losses)), unlimited), text: string(unlimited) }),
      unlimited,
    ),
    totalInstances: integer({ min: 0, format: 'uint32' }),
    /** The rules and routes that name what is deleted or renamed, or have its address, by name: the first hundred. */
    references: array(VpcReference, unlimited),
    totalReferences: integer({ min: 0, format: 'uint32' }),
    /** What would have no effect after the change. */
    effects: VpcEffects,
  }),
)
export const vpcPreview = op({
  ...ofVpc, method: 'POST', path: '/v1/vpcs/{vpc}/preview', allow: 'project.viewer', ok: 200, changesNothing: true, tag,
  summary: 'Show what instances would lose by a change in a VPC, and which rules and routes name what it changes',
  bodyLimit: limits.firewall.body,
  body: ref('VpcPreviewRequest', object({ change: VpcChange })), response: VpcPreview,
})
