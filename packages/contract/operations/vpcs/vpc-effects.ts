/** The effects of rules and routes: operations of our own, not part of the wire contract. */
import { op } from '#/op.ts'
import { array, boolean, enumOf, nullable, object, ref, string, unlimited } from '#/schema.ts'
import { inProject } from '#/schemas/identity.ts'
import { uint16 } from '#/schemas/integers.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { TraceAddress, TraceReason } from '#/schemas/trace.ts'

const tag = 'vpcs'
const ofVpc = { params: object({ vpc: NameOrId }), query: object(inProject) } as const

const RuleEffect = ref(
  'VpcRuleEffect',
  object({
    ruleId: Uuid,
    name: Name,
    effect: enumOf(['none', 'partial']),
    reason: enumOf(['disabled', 'no_target', 'no_interface', 'no_host', 'shadowed', 'ports_ignored', 'names_missing']),
    text: string(unlimited),
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
  response: VpcEffects,
})

const verdict = { result: enumOf(['pass', 'drop']), reason: TraceReason, text: string(unlimited) }
export const OpenPorts = ref(
  'OpenPorts',
  object({ protocol: enumOf(['tcp', 'udp', 'icmp', 'other']), firstPort: nullable(uint16), lastPort: nullable(uint16) }),
)
/** Of the primary interface of an instance, as if it were running. */
export const InstanceReachability = ref(
  'InstanceReachability',
  object({
    running: boolean(),
    vpcId: nullable(Uuid),
    outbound: object({ ...verdict, address: nullable(TraceAddress) }),
    inbound: object({ ...verdict, addresses: array(TraceAddress, unlimited), open: array(OpenPorts, unlimited) }),
  }),
)
export const instanceReachability = op({
  method: 'GET', path: '/v1/instances/{instance}/reachability', allow: 'project.viewer', ok: 200, tag: 'instances',
  params: object({ instance: NameOrId }),
  query: object(inProject), response: InstanceReachability,
})
