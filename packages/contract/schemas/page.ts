/** Pages of lists: keyset pagination with an opaque token. */
import { limits } from '../rules/limits.ts'
import { idSortsOf, sortsOf } from '../rules/lists.ts'
import { columnsOf } from '../rules/query/columns.ts'
import type { OpShape } from '../op.ts'
import {
  array,
  bare,
  boolean,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  record,
  ref,
  type Schema,
  string,
  unlimited,
} from '../schema.ts'

const count = integer({ min: 0, format: 'uint64' })

/** One page. `nextPage` is null on the last one. */
// @__NO_SIDE_EFFECTS__
export const page = <O, I>(item: Schema<O, I>) =>
  object({
    items: array(item, unlimited),
    nextPage: optional(nullable(string(unlimited))),
    /**
     * The token of the page before this one; null if that is the first. Only with `totals`, on pages after the first.
     * Not part of the original API.
     */
    previousPage: optional(nullable(string(unlimited))),
    /** The number of matching rows, if requested and not too many to count. Not part of the original API. */
    totalItems: optional(count),
    /**
     * If requested and if `totalItems` is known: for each column with few values, the number of rows with each value,
     * ignoring the filter on that column.
     */
    totals: optional(record(record(count, unlimited), unlimited)),
  })

const limit = optional(
  integer({ min: 1, max: 4_294_967_295, format: 'uint32', outOfRange: 'expected a nonzero u32' }),
)
const pageToken = optional(string({ maxLength: limits.page.token }))

/** The orders of a list by time. */
export const TimeAndIdSortMode = ref(
  'TimeAndIdSortMode',
  enumOf(['time_and_id_ascending', 'time_and_id_descending']),
)

/** Query of a list that has one order. */
export const inOrder = { limit, pageToken }
/** Text to find: each of its first eight different words begins a word of the name, the description or another text of the row. */
const find = optional(string({ maxLength: limits.find }))
/** Of lists that can be limited to what nothing uses. Not part of the original API. */
export const byUse = { unused: optional(boolean()) }
/** Asks for `totalItems` and `totals`. */
const total = optional(boolean())
const mostFilters = { count: limits.filters.count, noun: 'filters' }

/**
 * `state:running`, `-name:test`, `memory:>16GiB`, `created:<7d`: equal values of one column are alternatives, and each
 * comparison and negation must hold.
 */
// @__NO_SIDE_EFFECTS__
const filterOf = (kind: string) =>
  optional(array(string({ maxLength: limits.filters.text, filterOf: kind }), mostFilters))

/** The filters of a list. One without columns ignores them, like any parameter that it does not know. */
// @__NO_SIDE_EFFECTS__
export const filtered = (kind: string): { filter?: ReturnType<typeof filterOf> } =>
  columnsOf(kind).size > 0 ? { filter: filterOf(kind) } : {}

/** Query of a list of a kind by name, id or a column of `rules/lists.ts`. */
// @__NO_SIDE_EFFECTS__
export function byNameOf(kind: string) {
  return {
    ...inOrder,
    sortBy: optional(enumOf(sortsOf(kind))),
    find,
    ...filtered(kind),
    total,
  }
}
/** The kind whose columns the parameter `filter` of an operation has. */
export function filteredKindOf({ query }: Pick<OpShape, 'query'>): string | undefined {
  const node = query && bare(query.node)
  const field = node?.kind === 'object' ? node.fields.find(({ wire }) => wire === 'filter') : undefined
  const values = field && bare(field.node)
  const item = values?.kind === 'array' ? bare(values.item) : undefined
  return item?.kind === 'string' ? item.filterOf : undefined
}

/** Query of a list of a kind by id or a column of `rules/lists.ts`. */
// @__NO_SIDE_EFFECTS__
export const byIdOf = (kind: string) => ({
  ...inOrder,
  sortBy: optional(enumOf(idSortsOf(kind))),
  ...filtered(kind),
  total,
})
/** Of lists whose rows are found by words, although they have no names. */
export const found = { find }
/** Query of a list by id. */
export const byId = byIdOf('')
/** Query of a list of rows that has one order and can be counted. */
export const counted = { ...inOrder, total }

/** Parameters that every list has in common. */
export interface PageQuery {
  limit?: number | undefined
  pageToken?: string | undefined
  sortBy?: string | undefined
  find?: string | undefined
  filter?: readonly string[] | undefined
  total?: boolean | undefined
}
