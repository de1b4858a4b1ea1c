/** Pages of lists: keyset pagination with an opaque token. */
import { limits } from '../rules/limits.ts'
import {
  array,
  enumOf,
  integer,
  nullable,
  object,
  optional,
  type Schema,
  string,
  unlimited,
} from '../schema.ts'

/** One page. `nextPage` is null on the last one. */
// @__NO_SIDE_EFFECTS__
export const page = <O, I>(item: Schema<O, I>) =>
  object({ items: array(item, unlimited), nextPage: optional(nullable(string(unlimited))) })

const limit = optional(
  integer({ min: 1, max: 4_294_967_295, format: 'uint32', outOfRange: 'expected a nonzero u32' }),
)
const pageToken = optional(string({ maxLength: limits.page.token }))
const nameOrIdSort = enumOf(['name_ascending', 'name_descending', 'id_ascending'])
const idSort = enumOf(['id_ascending'])

/** Query of a list that has one order. */
export const inOrder = { limit, pageToken }
/** Query of a list by name or id. */
export const byName = { ...inOrder, sortBy: optional(nameOrIdSort) }
/** Query of a list by id. */
export const byId = { ...inOrder, sortBy: optional(idSort) }

/** Parameters that every list has in common. */
export interface PageQuery {
  limit?: number | undefined
  pageToken?: string | undefined
  sortBy?: string | undefined
}
