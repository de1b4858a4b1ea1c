/** Pages of lists: keyset pagination with an opaque token. */
import { array, integer, nullable, object, optional, text, words, type Schema } from '../schema.ts'

/** One page. `nextPage` is null on the last one. */
// @__NO_SIDE_EFFECTS__
export const page = <O, I>(item: Schema<O, I>) =>
  object({ items: array(item), nextPage: optional(nullable(text())) })

const limit = optional(
  integer({ min: 1, max: 4_294_967_295, format: 'uint32', outOfRange: 'expected a nonzero u32' }),
)
const pageToken = optional(text())
const nameOrIdSort = words(['name_ascending', 'name_descending', 'id_ascending'])
const idSort = words(['id_ascending'])

/** Query of a list that has one order. */
export const inOrder = { limit, pageToken }
/** Query of a list by name or id. */
export const byName = { ...inOrder, sortBy: optional(nameOrIdSort) }
/** Query of a list by id. */
export const byId = { ...inOrder, sortBy: optional(idSort) }

/** What every list query holds. */
export interface PageQuery {
  limit?: number | undefined
  pageToken?: string | undefined
  sortBy?: string | undefined
}
