/** A kind of resource as screens know it, and the requests that follow from it. */
import { hasNames, kinds as contractKinds, type KindName, type KindWith } from '@purlin/contract/rules/kinds'
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
export interface Identified {
  id: string
}
export interface Named extends Identified {
  name: string
}
/** An operation that answers with a resource. */
export type RowOp<R extends Identified = Identified> = OpShape & { readonly response: Schema<R, unknown> }
/** A list of resources, and one whose rows have names. */
export type KindList = ListOp<Identified>
export type NamedList = ListOp<Named>

/** A kind with screens: what can be listed, and perhaps viewed, created, changed and deleted. */
export interface Kind<L extends KindList = KindList> {
  /** The contract's. */
  name: KindName & keyof typeof sections
  /** 'floating IP' */
  noun: string
  /** The heading of its list, and its entry in the sidebar. */
  title: string
  icon: LucideIcon
  section: Section
  /** How texts call a row: by its name unless its kind says otherwise. */
  labelOf(row: Identified): string
  list: L
  view?: RowOp
  create?: RowOp
  /** Of rows that are edited in a form. */
  update?: RowOp
  remove?: OpShape
  /** Other operations whose results change with a resource of this kind. */
  related?: readonly OpShape[]
}

/** A kind whose resources can be deleted. */
export type DeletableKind<L extends KindList = KindList> = Kind<L> & { remove: OpShape }

type Definition = Omit<Kind, 'noun' | 'section' | 'labelOf' | 'list'>
/** Rows without names need a label. */
type Labels<L extends KindList> =
  Item<L> extends Named ? { labelOf?(row: Item<L>): string } : { labelOf(row: Item<L>): string }

/** The label of a row that its kind has none for. */
export const nameOrId = (row: object): string =>
  'name' in row ? String(row.name) : 'id' in row ? String(row.id) : ''

/** Keeps the types of the operations. */
export function kind<L extends KindList, const D extends Definition>(
  definition: D & { list: L } & Labels<L> & { [P in Exclude<keyof D, keyof Kind>]: never },
): Pick<Kind, 'noun' | 'section' | 'labelOf' | 'icon'> & { list: L } & {
  [P in Exclude<keyof D, 'icon' | 'list' | 'labelOf'>]: D[P]
}
export function kind(definition: Definition & Pick<Kind, 'list'>): Kind {
  const { noun } = contractKinds[definition.name]
  return { noun, section: sections[definition.name], labelOf: nameOrId, ...definition }
}

/** A kind with some operations, by their types. */
export type KindWithOps<O extends Partial<Kind>> = Omit<Kind, keyof O> & O

/** How addresses and requests name a resource: by its name, or by its id if its kind has no names. */
export const referenceOf = ({ name }: Pick<Kind, 'name'>, row: Identified & Partial<Named>): string =>
  hasNames(name) ? (row.name ?? row.id) : row.id
/** The kinds that the contract says have no names. */
export type Unnamed = KindWith<'isNamed'>

/** A kind whose resources others refer to, and which are read one by one. */
export interface ViewedKind<V extends RowOp = RowOp> {
  name: KindName
  noun: string
  view: V
}
/** Where the role counts that operations take: the arguments of `useRole`. */
export type RoleScope = [project?: string | undefined, level?: 'fleet']
export const roleScope = ({ name }: Pick<Kind, 'name'>, { project }: Scope): RoleScope =>
  contractKinds[name].parent === null ? [undefined, 'fleet'] : [project]

const places = ['project', 'instance', 'vpc', 'vpcRouter', 'internetGateway'] as const
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

/** The role that an operation takes in the scope of its resource, if it takes one; of several, that on the fleet. */
export function roleFor({ allow }: OpShape): Role | undefined {
  const taken = typeof allow === 'string' ? allow : allow.find((one) => one.startsWith('fleet.'))
  return roles.find((role) => taken?.endsWith(`.${role}`))
}

/** The role on the fleet that an operation takes in addition, if it takes one. */
export const fleetRoleFor = ({ alsoNeeds }: OpShape): Role | undefined =>
  roles.find((role) => alsoNeeds === `fleet.${role}`)

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
export const reload = ({ list, related = [] }: Pick<Kind, 'list' | 'related'>): Promise<unknown> =>
  invalidate(list, ...related)

/** Stores what the server answered about one resource, so that its page opens without waiting. */
export function rememberRow<V extends RowOp>(
  of: Pick<Kind, 'name'> & { view?: V },
  value: Identified,
  scope: Scope,
): void {
  // All operations of a kind answer with the same, but each type says so for itself.
  if (of.view)
    remember(of.view, argsOf(of, of.view, { ...scope, nameOrId: referenceOf(of, value) }), value as Result<V>)
}
