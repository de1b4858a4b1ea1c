/** Changes of what people keep with a resource, its tags and its protection: those who may update it may change these. */
import { op, type OpShape } from '#/op.ts'
import type { Kind } from '#/kinds/kind.ts'
import { kindOf, pluralOf, type KindName, type kinds, type KindWith } from '#/rules/kinds.ts'
import { object, optional } from '#/schema.ts'
import { inProject } from '#/schemas/identity.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { snake } from '#/wire.ts'

/** The part of a path that names what is changed, and the request. */
interface Change<B, R> {
  part: 'tags' | 'protection'
  method: 'PATCH' | 'PUT'
  body: B
  response: R
}
const inInstance = { instance: optional(NameOrId), ...inProject }
type Within<K extends KindName> = (typeof kinds)[K]['parent'] extends 'instance' ? typeof inInstance : typeof inProject
type Body = NonNullable<OpShape['body']>

// @__NO_SIDE_EFFECTS__
const changeOf = <K extends Exclude<KindWith<'isTagged'>, 'project'>, B extends Body, R extends Body>(
  kind: K,
  { part, method, body, response }: Change<B, R>,
) => {
  const { type, field, parent }: Kind = kindOf(kind)
  return op({
    method, path: `/v1/${pluralOf(type)}/{${snake(field)}}/${part}`, allow: 'project.collaborator', ok: 200,
    // A family has the kinds that its kind has.
    tag: parent === 'instance' ? 'instances' : pluralOf(type),
    params: object({ [field]: NameOrId } as { [F in (typeof kinds)[K]['field']]: typeof NameOrId }),
    query: object((parent === 'instance' ? inInstance : inProject) as Within<K>), body, response,
  })
}

/** The same change of each kind. */
// @__NO_SIDE_EFFECTS__
export const changesOf = <B extends Body, R extends Body>(change: Change<B, R>) => {
  const { part, method, body, response } = change
  return {
    instance: changeOf('instance', change),
    disk: changeOf('disk', change),
    snapshot: changeOf('snapshot', change),
    instanceSnapshot: changeOf('instanceSnapshot', change),
    userDataTemplate: changeOf('userDataTemplate', change),
    floatingIp: changeOf('floatingIp', change),
    vpc: changeOf('vpc', change),
    image: { ...changeOf('image', change), orSilo: true } as const,
    project: op({
      method, path: `/v1/projects/{project}/${part}`, allow: 'project.admin', ok: 200, tag: 'projects',
      params: object({ project: NameOrId }), body, response,
    }),
  }
}
