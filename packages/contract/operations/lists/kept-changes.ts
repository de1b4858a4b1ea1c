/** Changes of what people keep with a resource, its tags and its protection: those who may update it may change these. */
import { op, type OpShape } from '#/op.ts'
import type { Kind } from '#/kinds/kind.ts'
import { kindOf, pluralOf, type KindName, type kinds, type KindWith } from '#/rules/kinds.ts'
import { object } from '#/schema.ts'
import { NameOrId } from '#/schemas/scalar.ts'
import { snake } from '#/wire.ts'
import { oneOf } from '../plain.ts'

/** The part of a path that names what is changed, and the request. */
interface Change<B, R> {
  part: 'tags' | 'protection'
  method: 'PATCH' | 'PUT'
  body: B
  response: R
}
type Body = NonNullable<OpShape['body']>

/** The families of operations that have several kinds. */
const families: Partial<Record<KindName, string>> = {
  instanceSnapshot: 'instances',
  vpcSubnet: 'vpcs',
  vpcRouter: 'vpcs',
  internetGateway: 'vpcs',
  affinityGroup: 'affinity',
  antiAffinityGroup: 'affinity',
}

/** The change of one kind. */
// @__NO_SIDE_EFFECTS__
export const changeOf = <
  K extends Exclude<KindWith<'isTagged'>, 'project' | 'probe'>,
  B extends Body,
  R extends Body,
>(
  kind: K,
  { part, method, body, response }: Change<B, R>,
) => {
  const { type, field }: Kind = kindOf(kind)
  return op({
    method, path: `/v1/${pluralOf(type)}/{${snake(field)}}/${part}`, allow: 'project.collaborator', ok: 200,
    tag: families[kind] ?? pluralOf(type),
    params: object({ [field]: NameOrId } as { [F in (typeof kinds)[K]['field']]: typeof NameOrId }),
    query: oneOf(kind), body, response,
  })
}

/** The same change of each kind that has both. */
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
