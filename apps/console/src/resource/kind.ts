/** A kind of resource as screens know it, and the requests that follow from it. */
import { kinds as contractKinds, type KindName } from '@purlin/contract/rules/kinds'
import type { Args, OpShape, Result } from '@purlin/contract/op'
import { roles, type Role } from '@purlin/contract/rules/roles'
import type { Schema } from '@purlin/contract/schema'
import type { LucideIcon } from 'lucide-react'
import { lookUpLimit, type Item, type ListOp } from '#/api/everyPage.ts'
import { invalidate, query, remember } from '#/api/query.ts'
import { argsFor } from '#/api/send.ts'
import { sections, type Scope, type Section } from '#/lib/addresses.ts'

export type { Scope }

/** A resource as all operations of a kind answer with it. */
export interface Named {
  id: string
  name: string
}
/** An operation that answers with a resource. */
export type RowOp = OpShape & { readonly response: Schema<Named, unknown> }
/** A list of resources. */
export type KindList = ListOp<Named>

/** A kind as its list needs it: what can be listed, and perhaps created, changed and deleted. */
export interface ListedKind<L extends KindList = KindList> {
  /** The contract's. */
  name: KindName & keyof typeof sections
  /** 'floating IP' */
  noun: string
  /** The heading of its list, and its entry in the sidebar. */
  title: string
  icon: LucideIcon
  section: Section
  list: L
  create?: OpShape
  /** Of rows that are edited in a form. */
  update?: OpShape | undefined
  remove?: OpShape
  /** Other operations whose results change with a resource of this kind. */
  related?: readonly OpShape[]
}

/** A kind whose resources can be deleted. */
export type DeletableKind<L extends KindList = KindList> = ListedKind<L> & { remove: OpShape }

/** A kind with a page, panel or form of each resource, and a form for a new one. */
export interface Kind<
  L extends KindList = KindList,
  V extends RowOp = RowOp,
  C extends RowOp = RowOp,
  U extends RowOp | undefined = RowOp | undefined,
> extends ListedKind<L> {
  view: V
  create: C
  update: U
  remove: OpShape
}

type Definition<K extends Kind> = Omit<K, 'noun' | 'section' | 'update'> & Partial<Pick<K, 'update'>>

/** Keeps the types of the operations. */
export const kind = <L extends KindList, V extends RowOp, C extends RowOp, U extends RowOp | undefined>(
  definition: Definition<Kind<L, V, C, U>>,
): Kind<L, V, C, U> => ({
  noun: contractKinds[definition.name].noun,
  section: sections[definition.name],
  ...definition,
  update: definition.update as U,
})

/** A kind whose resources others refer to, and which are read one by one. */
export type ViewedKind<V extends RowOp = RowOp> = Pick<Kind<KindList, V>, 'noun' | 'view'> & {
  name: KindName
}
/** Where the role counts that operations take: the arguments of `useRole`. */
export type RoleScope = [project?: string | undefined, level?: 'fleet']
export const roleScope = ({ name }: Pick<Kind, 'name'>, { project }: Scope): RoleScope =>
  contractKinds[name].parent === null ? [undefined, 'fleet'] : [project]

const places = ['project', 'vpc', 'vpcRouter', 'internetGateway'] as const
/** The fields that name what a resource of a kind is in, from its project on; none for those of no project. */
function fieldsAbove(name: KindName): (keyof Scope)[] {
  const parent = places.find((place) => place === contractKinds[name].parent)
  return parent ? [...fieldsAbove(parent), contractKinds[parent].field] : []
}

/** The scope of a kind's resources at an address with these parameters. */
export const scopeOf = (of: Pick<Kind, 'name'>, params: Scope): Scope =>
  Object.fromEntries(fieldsAbove(of.name).map((field) => [field, params[field] ?? '']))

/** The part of a scope that requests for a kind's resources name. */
const queryIn = ({ name }: { name: KindName }, scope: Scope): Scope =>
  Object.fromEntries(
    fieldsAbove(name).flatMap((field) => (scope[field] === undefined ? [] : [[field, scope[field]]])),
  )

/** The role that an operation takes in the scope of its resource, if it takes one. */
export const roleFor = ({ allow }: OpShape): Role | undefined =>
  typeof allow === 'string' ? roles.find((role) => allow.endsWith(`.${role}`)) : undefined

/** A row of a kind's list. */
export type Row<K> = K extends Kind<infer L> ? Item<L> : never

/** The arguments of an operation on one resource: by name in its project or silo, or by id alone. */
export function argsOf<O extends OpShape>(
  kind: Pick<ViewedKind, 'name'>,
  op: O,
  { nameOrId, ...scope }: Scope & { nameOrId: string },
): Args<O> {
  const query = op.query ? { query: queryIn(kind, scope) } : {}
  return argsFor(op, { params: { [contractKinds[kind.name].field]: nameOrId }, ...query })
}

/** The query of one resource, by name in its scope or by id alone. */
export const viewQuery = <V extends RowOp>(of: ViewedKind<V>, nameOrId: string, scope: Scope = {}) =>
  query(of.view, argsOf(of, of.view, { ...scope, nameOrId }))

/** The query of as many resources as one answer holds. */
export const lookUpQuery = <L extends KindList>(kind: Pick<Kind<L>, 'name' | 'list'>, scope: Scope) =>
  query(kind.list, argsFor(kind.list, { query: { ...queryIn(kind, scope), limit: lookUpLimit } }))

/** Reloads every query that shows resources of a kind. */
export const reload = ({ list, related = [] }: Pick<ListedKind, 'list' | 'related'>): Promise<unknown> =>
  invalidate(list, ...related)

/** Stores what the server answered about one resource under its name, so that its page opens without waiting. */
export const rememberNamed = <V extends RowOp>(of: Kind<KindList, V>, value: Named, scope: Scope) =>
  // All operations of a kind answer with the same, but each type says so for itself.
  remember(of.view, argsOf(of, of.view, { ...scope, nameOrId: value.name }), value as Result<V>)
