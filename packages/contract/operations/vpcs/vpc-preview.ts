/** The effects of a change in a VPC: an operation of our own, not part of the wire contract. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, defaulted, enumOf, integer, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { Ip } from '#/schemas/address.ts'
import { inProject } from '#/schemas/identity.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { OpenPorts, VpcEffects } from './vpc-effects.ts'
import { VpcChange, VpcTrace } from './vpc-trace.ts'

const VpcReference = ref(
  'VpcReference',
  object({
    kind: enumOf(['firewall_rule', 'route']),
    id: Uuid,
    name: Name,
    router: nullable(Name),
    hasEffect: boolean(),
    text: string(unlimited),
  }),
)
const losses = ['ssh_from_anywhere', 'ssh_from_named', 'ssh_from_inside', 'way_out'] as const
const names = array(string(unlimited), unlimited)
const TrafficChange = ref(
  'VpcTrafficChange',
  object({
    direction: enumOf(['inbound', 'outbound']),
    traffic: array(OpenPorts, unlimited),
    peers: names,
    except: names,
    text: string(unlimited),
  }),
)
const count = integer({ min: 0, format: 'uint32' })
const TrafficGroup = ref(
  'VpcTrafficGroup',
  object({
    opens: array(TrafficChange, unlimited),
    closes: array(TrafficChange, unlimited),
    instances: array(object({ instanceId: Uuid, name: Name }), unlimited),
    totalInstances: count,
  }),
)
const Traffic = ref(
  'VpcTraffic',
  object({ complete: boolean(), groups: array(TrafficGroup, unlimited), totalGroups: count }),
)
/** Of a packet for the destination of a route, from an instance in a subnet that uses its router. */
const Path = ref(
  'VpcPath',
  object({
    routeId: Uuid,
    instanceId: Uuid,
    name: Name,
    destination: Ip,
    totalInstances: count,
    trace: VpcTrace,
  }),
)
export const VpcPreview = ref(
  'VpcPreview',
  object({
    instances: array(
      object({ instanceId: Uuid, name: Name, losses: array(ref('VpcLoss', enumOf(losses)), unlimited), text: string(unlimited) }),
      unlimited,
    ),
    totalInstances: count,
    references: array(VpcReference, unlimited),
    totalReferences: count,
    effects: VpcEffects,
    traffic: optional(Traffic),
    path: optional(nullable(Path)),
  }),
)
export const vpcPreview = op({
  method: 'POST', path: '/v1/vpcs/{vpc}/preview', allow: 'project.viewer', ok: 200, changesNothing: true, tag: 'vpcs',
  params: object({ vpc: NameOrId }), query: object(inProject), bodyLimit: limits.firewall.body,
  body: ref('VpcPreviewRequest', object({ change: VpcChange, traffic: defaulted(boolean(), () => false) })),
  response: VpcPreview,
})
