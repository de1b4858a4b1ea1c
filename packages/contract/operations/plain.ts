/** The operations that plain resources share: each has a name in its parent, and is listed, made, shown, changed and deleted. */
import { op } from '../op.ts'
import { article, kinds, pluralOf, type ChildOf } from '../rules/kinds.ts'
import { object, optional, ref, type Schema } from '../schema.ts'
import { identityCreate, identityUpdate, inProject, ofProject } from '../schemas/identity.ts'
import { byNameOf, page } from '../schemas/page.ts'
import { NameOrId } from '../schemas/scalar.ts'
import { snake } from '../wire.ts'

type ByName = ReturnType<typeof byNameOf>
type Shape = Record<string, Schema<unknown, unknown>>
const inVpc = { vpc: optional(NameOrId), ...inProject }
/** What names the parent: `all` in requests on its list, `one` beside a name in it. */
const parents = {
  project: { all: ofProject, one: inProject },
  vpc: { all: { vpc: NameOrId, ...inProject }, one: inVpc },
  vpcRouter: { all: { router: NameOrId, ...inVpc }, one: { router: optional(NameOrId), ...inVpc } },
  internetGateway: { all: { gateway: NameOrId, ...inVpc }, one: { gateway: optional(NameOrId), ...inVpc } },
} as const
type Parents = typeof parents
type PlainKind = ChildOf<keyof Parents>
type Kinds = typeof kinds
type All<K extends PlainKind> = Extract<Parents[Kinds[K]['parent']]['all'], Shape>
type One<K extends PlainKind> = Extract<Parents[Kinds[K]['parent']]['one'], Shape>
type Path<K extends PlainKind> = { [F in Kinds[K]['field']]: typeof NameOrId }

interface PlainResource<O, I, New, Changed, How, ListQuery> {
  /** What clients see of one. */
  response: Schema<O, I>
  /** Fields of the request that makes one, beside name and description. */
  create: New
  /** Fields of the request that changes one, beside name and description; none unless given. */
  update?: Changed
  /** What the query of a deletion says beside the parents; nothing unless given. */
  remove?: How
  /** What the query of the list may ask for besides; nothing unless given. */
  list?: ListQuery
  /** Group in the OpenAPI document: its path unless given. */
  tag?: string
}
/** `{ List: … }` → `{ diskList: … }` */
type Prefixed<K extends string, Ops> = { [V in keyof Ops & string as `${K}${V}`]: Ops[V] }

const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

/**
 * List, Create, View, Update and Delete of a kind, under the names of its operations. A resource that lacks one of
 * them leaves it out of what it exports.
 */
// @__NO_SIDE_EFFECTS__
export function plainOps<
  const K extends PlainKind,
  O,
  I,
  New extends Shape,
  Changed extends Shape = Record<never, never>,
  How extends Shape = Record<never, never>,
  ListQuery extends Shape = Record<never, never>,
>(kind: K, { response, create, update, remove, list, tag }: PlainResource<O, I, New, Changed, How, ListQuery>) {
  const { noun, type, field }: { noun: string; type: string; field: string } = kinds[kind]
  const schema = capital(kind)
  const all = `/v1/${pluralOf(snake(kind).replaceAll('_', '-'))}`
  const one = `${all}/{${snake(field)}}`
  const parent = parents[kinds[kind].parent] as { all: All<K>; one: One<K> }
  const common = { tag: tag ?? `${type}s`, response } as const
  const read = { ...common, method: 'GET', allow: 'project.viewer', ok: 200 } as const
  const write = { ...common, allow: 'project.collaborator' } as const
  const params = object({ [field]: NameOrId } as Path<K>)
  const ofOne = { path: one, params, query: object(parent.one) } as const
  const a = `${article(noun)} ${noun}`
  const above = kinds[kind].parent === 'project' ? '' : ` of a ${kinds[kinds[kind].parent].noun}`
  const ops = {
    List: op({
      ...read, path: all, summary: `List ${pluralOf(noun)}${above}`, 
      query: object<ByName & All<K> & ListQuery>({ ...byNameOf(kind), ...parent.all, ...(list ?? ({} as ListQuery)) }),
      response: ref(`${schema}ResultsPage`, page(response)),
    }),
    Create: op({
      ...write, method: 'POST', path: all, ok: 201, summary: `Create ${a}`, query: object(parent.all),
      body: ref(`${schema}Create`, object({ ...identityCreate, ...create })),
    }),
    View: op({ ...read, ...ofOne, summary: `Show ${a}` }),
    Update: op({
      ...write, ...ofOne, method: 'PUT', ok: 200, summary: `Update ${a}`,
      body: ref(`${schema}Update`, object({ ...identityUpdate, ...(update ?? ({} as Changed)) })),
    }),
    Delete: op({
      ...ofOne, method: 'DELETE', allow: 'project.collaborator', ok: 204, tag: common.tag, summary: `Delete ${a}`,
      query: object<One<K> & How>({ ...parent.one, ...(remove ?? ({} as How)) }),
    }),
  }
  const named = Object.entries(ops).map(([verb, each]) => [kind + verb, each])
  return Object.fromEntries(named) as Prefixed<K, typeof ops>
}
