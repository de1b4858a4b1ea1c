/** Our own operations on tags: a change of some tags of a resource, and the tags that are in use. */
import { op } from '#/op.ts'
import type { Kind } from '#/kinds/kind.ts'
import { kindOf, pluralOf, type kinds, type KindWith } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { array, nullable, object, optional, ref, string, unlimited } from '#/schema.ts'
import { inProject, Tags } from '#/schemas/identity.ts'
import { inOrder, page } from '#/schemas/page.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { snake } from '#/wire.ts'

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

type Tagged = KindWith<'isTagged'>

/** Changes some tags of a resource. Those who may update the resource may do so. */
// @__NO_SIDE_EFFECTS__
const changeOf = <K extends Exclude<Tagged, 'project'>>(kind: K) => {
  const { type, field }: Kind = kindOf(kind)
  return op({
    method: 'PATCH', path: `/v1/${pluralOf(type)}/{${snake(field)}}/tags`, allow: 'project.collaborator', ok: 200,
    tag: pluralOf(type),
    params: object({ [field]: NameOrId } as { [F in (typeof kinds)[K]['field']]: typeof NameOrId }),
    query: object(inProject), body: TagChanges, response: TagsView,
  })
}
export const instanceTagsChange = changeOf('instance')
export const diskTagsChange = changeOf('disk')
export const snapshotTagsChange = changeOf('snapshot')
export const floatingIpTagsChange = changeOf('floatingIp')
export const vpcTagsChange = changeOf('vpc')
export const imageTagsChange = { ...changeOf('image'), orSilo: true } as const
export const projectTagsChange = op({
  method: 'PATCH', path: '/v1/projects/{project}/tags', allow: 'project.admin', ok: 200, tag: 'projects',
  params: object({ project: NameOrId }), body: TagChanges, response: TagsView,
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
