/** The effects of a change in a VPC: an operation of our own, not part of the wire contract. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, boolean, enumOf, integer, nullable, object, ref, string, unlimited } from '#/schema.ts'
import { inProject } from '#/schemas/identity.ts'
import { Name, NameOrId, Uuid } from '#/schemas/scalar.ts'
import { VpcEffects } from './vpc-effects.ts'
import { VpcChange } from './vpc-trace.ts'

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
export const VpcPreview = ref(
  'VpcPreview',
  object({
    instances: array(
      object({ instanceId: Uuid, name: Name, losses: array(ref('VpcLoss', enumOf(losses)), unlimited), text: string(unlimited) }),
      unlimited,
    ),
    totalInstances: integer({ min: 0, format: 'uint32' }),
    references: array(VpcReference, unlimited),
    totalReferences: integer({ min: 0, format: 'uint32' }),
    effects: VpcEffects,
  }),
)
export const vpcPreview = op({
  method: 'POST', path: '/v1/vpcs/{vpc}/preview', allow: 'project.viewer', ok: 200, changesNothing: true, tag: 'vpcs',
  params: object({ vpc: NameOrId }), query: object(inProject), bodyLimit: limits.firewall.body,
  body: ref('VpcPreviewRequest', object({ change: VpcChange })), response: VpcPreview,
})
