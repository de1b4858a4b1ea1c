/** Features of lists in addition to pages by name: sortable columns, and columns with few values to filter by. */
import type { FilterColumn, Kind, OrderColumn } from '../kinds/kind.ts'
import { kindNames, kindOf, kindsWith, type KindName, type kinds, type KindWith } from './kinds.ts'
import { isOneOf } from './keys.ts'

interface ListRules {
  readonly filters: Readonly<Record<string, FilterColumn>>
  readonly orders: Readonly<Record<string, OrderColumn>>
  readonly references: NonNullable<Kind['references']>
}

/** The rules of the list of a kind; none for anything else. */
export function rulesOf(kind: string): ListRules {
  const { filters = {}, orders = {}, references = {} } = isOneOf(kindNames, kind) ? kindOf(kind) : {}
  return { filters, orders, references }
}

/** The orders that every list by name has. */
const nameSorts = ['name_ascending', 'name_descending', 'id_ascending'] as const

const columnSorts = (kind: string): string[] =>
  Object.keys(rulesOf(kind).orders).flatMap((column) => [`${column}_ascending`, `${column}_descending`])

/** Every `sort_by` of a kind's list by name. */
export const sortsOf = (kind: string): string[] => [...nameSorts, ...columnSorts(kind)]
/** Every `sort_by` of a kind's list by id. */
export const idSortsOf = (kind: string): string[] => ['id_ascending', ...columnSorts(kind)]

/** Every `filter` of a kind's list: `state:running`. */
export const filtersOf = (kind: string): string[] =>
  Object.entries(rulesOf(kind).filters).flatMap(([column, { values }]) =>
    values.map((value) => `${column}:${value}`),
  )

/** Whether resources of a kind have tags. */
export const hasTags = (kind: string): kind is KindWith<'isTagged'> =>
  isOneOf(kindNames, kind) && kindOf(kind).isTagged === true

/** The kinds whose resources can be protected from deletion: their lists are filtered by it. */
export type ProtectedKind = {
  [K in KindName]: (typeof kinds)[K] extends { readonly filters: { readonly protected: unknown } } ? K : never
}[KindName]
export const hasProtection = (kind: string): kind is ProtectedKind => 'protected' in rulesOf(kind).filters
export const protectedKinds = kindNames.filter(hasProtection)

export type SearchedKind = KindWith<'search'>
const rankOf = (kind: KindName): number => kindOf(kind).search?.rank ?? Infinity
/** The kinds that one search covers, in the order of its results. The rows of the others are found in their own lists. */
export const searchedKinds = kindsWith('search').toSorted((a, b) => rankOf(a) - rankOf(b))

/** The hardware that the search finds by its serial number. */
export const serialKinds = ['rack', 'sled', 'physicalDisk', 'switch'] as const satisfies readonly KindName[]
export type SerialKind = (typeof serialKinds)[number]

export type NamedKind = KindWith<'isReferred'> & SearchedKind
/** The kinds that others refer to. Clients look up their names by id. */
export const namedKinds = searchedKinds.filter((kind): kind is NamedKind => kindOf(kind).isReferred === true)
