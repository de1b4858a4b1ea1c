/** The operations that resources share. Scope, names and verbs of a resource decide which there are, and with which fields. */
import { op, type OpShape } from '../op.ts'
import type { Kind } from '../kinds/kind.ts'
import { hasNames, kindOf, kinds, pluralOf, scopeOf, type KindName, type KindWith, type ScopeName } from '../rules/kinds.ts'
import { object, optional, ref, type Schema } from '../schema.ts'
import { identityCreate, identityUpdate, inProject, ofProject } from '../schemas/identity.ts'
import { byIdOf, byNameOf, page } from '../schemas/page.ts'
import { NameOrId, Uuid } from '../schemas/scalar.ts'
import { snake } from '../wire.ts'

type Shape = Record<string, Schema<unknown, unknown>>
type Allow = OpShape['allow']
interface Scope {
  /** Where paths begin. */
  root: string
  /**
   * Query fields that name the parent of a resource: `all` for a list or a create, `one` with the name of a resource.
   */
  all: Shape
  one: Shape
  read: Allow
  write: Allow
}
const inVpc = { vpc: optional(NameOrId), ...inProject }
const ofRoles = { root: '/v1', read: 'project.viewer', write: 'project.collaborator' } as const
const scopes = {
  fleet: { root: '/v1/system', all: {}, one: {}, read: 'fleet.viewer', write: 'fleet.admin' },
  /** The silo of the signed-in user. */
  silo: { root: '/v1', all: {}, one: {}, read: 'silo.viewer', write: 'silo.collaborator' },
  /** A silo that the query names, for operators. */
  namedSilo: {
    root: '/v1/system', all: { silo: NameOrId }, one: { silo: NameOrId }, read: 'fleet.viewer', write: 'fleet.admin',
  },
  /** The signed-in user. */
  siloUser: { root: '/v1/me', all: {}, one: {}, read: 'user', write: 'user' },
  project: { ...ofRoles, all: ofProject, one: inProject },
  instance: {
    ...ofRoles, all: { instance: NameOrId, ...inProject }, one: { instance: optional(NameOrId), ...inProject },
  },
  vpc: { ...ofRoles, all: { vpc: NameOrId, ...inProject }, one: inVpc },
  vpcRouter: {
    ...ofRoles, all: { router: NameOrId, ...inVpc }, one: { router: optional(NameOrId), ...inVpc },
  },
  internetGateway: {
    ...ofRoles, all: { gateway: NameOrId, ...inVpc }, one: { gateway: optional(NameOrId), ...inVpc },
  },
} as const satisfies Record<string, Scope>
type Scopes = typeof scopes

type Kinds = typeof kinds
type ScopeOf<K extends KindName> = ScopeName<K> & keyof Scopes
/** The kinds that plain operations can be made for. */
export type PlainKind = {
  [K in KindName]: ScopeName<K> extends keyof Scopes ? K : never
}[KindName]
type Parents<S extends keyof Scopes, Which extends 'all' | 'one'> = Extract<Scopes[S][Which], Shape>

type Unnamed = KindWith<'isNamed'>
/** The path parameter: a name or id, or only an id. */
type Path<K extends PlainKind> = { [F in Kinds[K]['field']]: K extends Unnamed ? typeof Uuid : typeof NameOrId }
type ListQuery<K> = ReturnType<K extends Unnamed ? typeof byIdOf : typeof byNameOf>
type Identity<K, Fields> = K extends Unnamed ? Record<never, never> : Fields
/** Fields as a part of a request, which is left out if there are none. */
type Part<Name extends string, Fields extends Shape> = keyof Fields extends never
  ? Record<never, never>
  : { readonly [P in Name]: ReturnType<typeof object<Fields>> }

const prefixes = { siloUser: 'currentUser', instance: 'instance' } as const
type Prefixes = typeof prefixes
/** Operations are named after their kind, some with what that belongs to, unless the kind has its name. */
export type PlainName<K extends PlainKind, V extends string> = Kinds[K]['parent'] extends keyof Prefixes
  ? K extends `${Prefixes[Kinds[K]['parent']]}${string}`
    ? `${K}${V}`
    : `${Prefixes[Kinds[K]['parent']]}${Capitalize<K>}${V}`
  : `${K}${V}`
type Prefixed<K extends PlainKind, Ops> = { [V in keyof Ops & string as PlainName<K, V>]: Ops[V] }

export const verbs = ['List', 'Create', 'View', 'Update', 'Delete'] as const
export type Verb = (typeof verbs)[number]

interface PlainResource<V extends Verb, O, I, New, Changed, Kept, How, More> {
  /** The path of the list, if it is not made of the kind's name. */
  path?: string
  /** The name of its schemas, if it is not the kind's. */
  schema?: string
  /** The operations that there are; all unless given. */
  verbs?: readonly V[]
  /** The response. */
  response: Schema<O, I>
  /** Further fields of a create, in addition to name and description. */
  create?: New
  /** Further fields of an update, in addition to name and description. */
  update?: Changed
  /** Which of name and description an update can change; both by default. */
  identity?: Kept
  /** Further query fields of a delete, in addition to the parents. */
  remove?: How
  /** Further query fields of the list. */
  list?: More
  /** The permissions that differ from the defaults of the scope. */
  allow?: Partial<Record<Verb, Allow>>
  /** Group in the OpenAPI document: the type of its kind unless given. */
  tag?: string
}

const capital = <T extends string>(text: T) => (text.charAt(0).toUpperCase() + text.slice(1)) as Capitalize<T>

/** The query fields that find one, in addition to its name. */
// @__NO_SIDE_EFFECTS__
export const oneOf = <K extends PlainKind>(kind: K) =>
  object(scopes[scopeOf(kind) as ScopeOf<K>].one as Parents<ScopeOf<K>, 'one'>)

/** The name of an operation of a plain resource. */
// @__NO_SIDE_EFFECTS__
export function plainName<K extends PlainKind, V extends Verb>(kind: K, verb: V): PlainName<K, V> {
  const prefix = (prefixes as Partial<Record<string, string>>)[kinds[kind].parent ?? '']
  const isNamed = prefix === undefined || kind.startsWith(prefix)
  return (isNamed ? kind + verb : prefix + capital(kind) + verb) as PlainName<K, V>
}

/** A part of an operation with these fields; absent without any. */
// @__NO_SIDE_EFFECTS__
const part = <const P extends string, F extends Shape>(name: P, fields: F, as?: string) => {
  const schema = object(fields)
  const isEmpty = Object.keys(fields).length === 0
  return (isEmpty ? {} : { [name]: as === undefined ? schema : ref(as, schema) }) as Part<P, F> & object
}

/** The operations of a kind, under their names: List, Create, View, Update and Delete, or those of them that there are. */
// @__NO_SIDE_EFFECTS__
export function plainOps<
  const K extends PlainKind,
  O,
  I,
  const V extends Verb = Verb,
  New extends Shape = Record<never, never>,
  Changed extends Shape = Record<never, never>,
  Kept extends Shape = typeof identityUpdate,
  How extends Shape = Record<never, never>,
  More extends Shape = Record<never, never>,
>(kind: K, resource: PlainResource<V, O, I, New, Changed, Kept, How, More>) {
  const { type, field }: Kind = kindOf(kind)
  const hasName = hasNames(kind)
  const { response, allow = {}, tag = `${type}s`, schema = capital(kind) } = resource
  const { create = {} as New, update = {} as Changed, remove = {} as How, list = {} as More } = resource
  const { root, read, write, ...parents }: Scope = scopes[scopeOf(kind) as ScopeOf<K>]
  const within = parents as { all: Parents<ScopeOf<K>, 'all'>; one: Parents<ScopeOf<K>, 'one'> }
  const all = resource.path ?? `${root}/${pluralOf(snake(kind).replaceAll('_', '-'))}`
  const one = { path: `${all}/{${snake(field)}}`, params: object({ [field]: hasName ? NameOrId : Uuid } as Path<K>), tag }
  const identityOf = <F extends Shape>(fields: F) => (hasName ? fields : {}) as Identity<K, F>
  const kept = resource.identity ?? (identityUpdate as Shape as Kept)
  const ops = {
    List: op({
      method: 'GET', path: all, allow: allow.List ?? read, ok: 200, tag,
      query: object({ ...((hasName ? byNameOf(kind) : byIdOf(kind)) as ListQuery<K>), ...within.all, ...list }),
      response: ref(`${schema}ResultsPage`, page(response)),
    }),
    Create: op({
      method: 'POST', path: all, allow: allow.Create ?? write, ok: 201, tag,
      ...part('query', within.all), ...part('body', { ...identityOf(identityCreate), ...create }, `${schema}Create`), response,
    }),
    View: op({
      ...one, method: 'GET', allow: allow.View ?? read, ok: 200, ...part('query', within.one), response,
    }),
    Update: op({
      ...one, method: 'PUT', allow: allow.Update ?? write, ok: 200, ...part('query', within.one),
      ...part('body', { ...identityOf(kept), ...update }, `${schema}Update`), response,
    }),
    Delete: op({
      ...one, method: 'DELETE', allow: allow.Delete ?? write, ok: 204,
      ...part('query', { ...within.one, ...remove }),
    }),
  }
  const named = (resource.verbs ?? verbs).map((verb) => [plainName(kind, verb), ops[verb]])
  return Object.fromEntries(named) as Prefixed<K, Pick<typeof ops, V>>
}
