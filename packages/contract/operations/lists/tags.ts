/** Our own operations on tags: a change of some tags of a resource, and the tags that are in use. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { array, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { inProject, Tags } from '#/schemas/identity.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { changeOf, changesOf } from './kept-changes.ts'

const { count, key, value } = limits.tags

/** Tags to set, whatever their values were, and keys to remove; all others stay. */
export const TagChanges = ref(
  'TagChanges',
  object({
    set: optional(nullable(Tags)),
    remove: optional(nullable(array(string({ maxLength: key }), { count, noun: 'keys' }))),
  }),
)
const TagsView = ref('TagsView', object({ tags: Tags }))

const change = { part: 'tags', method: 'PATCH', body: TagChanges, response: TagsView } as const
const changes = changesOf(change)
export const instanceTagsChange = changes.instance
export const diskTagsChange = changes.disk
export const snapshotTagsChange = changes.snapshot
export const instanceSnapshotTagsChange = changes.instanceSnapshot
export const userDataTemplateTagsChange = changes.userDataTemplate
export const floatingIpTagsChange = changes.floatingIp
export const vpcTagsChange = changes.vpc
export const imageTagsChange = changes.image
export const projectTagsChange = changes.project
export const vpcSubnetTagsChange = changeOf('vpcSubnet', change)
export const vpcRouterTagsChange = changeOf('vpcRouter', change)
export const internetGatewayTagsChange = changeOf('internetGateway', change)
export const affinityGroupTagsChange = changeOf('affinityGroup', change)
export const antiAffinityGroupTagsChange = changeOf('antiAffinityGroup', change)
export const scheduleTagsChange = changeOf('schedule', change)
/** Operators alone change probes. */
export const probeTagsChange = op({
  method: 'PATCH', path: '/experimental/v1/probes/{probe}/tags', allow: 'project.collaborator', alsoNeeds: 'fleet.admin',
  ok: 200, tag: 'experimental', params: object({ probe: NameOrId }), query: object(inProject),
  body: TagChanges, response: TagsView,
})

const TagInUse = ref('TagInUse', object({ key: string(unlimited), value: optional(string(unlimited)) }))

/** The keys in use in a project, or in the silo for its projects and images; with `tag`, the values of that key. */
export const tagList = op({
  method: 'GET', path: '/v1/tags', allow: 'project.viewer', orSilo: true, ok: 200, tag: 'tags',
  query: object({
    ...inOrder,
    ...inProject,
    tag: optional(string({ maxLength: key })),
    prefix: optional(string({ maxLength: value })),
  }),
  response: ref('TagInUseResultsPage', page(TagInUse)),
})
