import type { Args, OpShape, Result } from '@purlin/contract/op'
import { partsOf, urlOf } from '@purlin/contract/client'
import type { Schema } from '@purlin/contract/schema'
import { keyOf, query, type Read } from './query.ts'
import { send } from './send.ts'
import { noteAddresses } from './watched.ts'

/** Rows of a page of look-ups, which must see more than is shown. */
export const lookUpLimit = 1000

/** Longer lists are not watched: each change would read the whole list again. */
const mostWatchedPages = 4

/** The answer of a list. Only some lists count their rows. */
export interface Page<R = object> {
  items: R[]
  nextPage?: string | null | undefined
  previousPage?: string | null | undefined
  /** The number of rows that match the search and filters of the address, if the server counts them. */
  totalItems?: number | undefined
  /** The number of rows for each value of columns with few values. */
  totals?: Record<string, Record<string, number>> | undefined
}
/** An operation that lists page by page. */
export type ListOp<R = object> = OpShape & {
  readonly query: NonNullable<OpShape['query']>
  readonly response: Schema<Page<R>, unknown>
}
/** One row of what an operation lists. */
export type Item<O extends ListOp> = Result<O>['items'][number]

/** All rows of a list, read page by page: for names and pickers, which must not miss any. */
export function everyPage<O extends ListOp>(op: O, args: Args<O>): Read<Item<O>[]> {
  // Under the key of the operation, so that invalidating the operation invalidates this as well.
  const queryKey = keyOf<Item<O>[]>(...query(op, args).queryKey, 'every page')
  return {
    queryKey,
    queryFn: async ({ signal }) => {
      const items: Item<O>[] = []
      const addresses: string[] = []
      let pageToken: string | null | undefined
      do {
        const query = {
          ...partsOf(args).query,
          limit: lookUpLimit,
          ...(pageToken ? { pageToken } : {}),
        }
        const page = await send(op, { ...args, query }, signal)
        items.push(...page.items)
        addresses.push(urlOf(op, { ...args, query }))
        pageToken = page.nextPage
      } while (pageToken)
      noteAddresses({ queryKey }, addresses.length > mostWatchedPages ? [] : addresses)
      return items
    },
  }
}
