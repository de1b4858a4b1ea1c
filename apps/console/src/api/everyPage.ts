import type { Args, OpShape, Result } from '@purlin/contract/op'
import { urlOf } from '@purlin/contract/client'
import { query, type Read } from './query.ts'
import { send } from './send.ts'
import { noteAddresses } from './watched.ts'

/** Rows of a page of look-ups, which must see more than is shown. */
export const lookUpLimit = 1000

/** Longer lists are not watched: each change would read the whole list again. */
const mostWatchedPages = 4

/** An operation that lists page by page. */
export type ListOp = OpShape & { readonly query: NonNullable<OpShape['query']> }
/** One row of what an operation lists. */
export type Item<O extends OpShape> = Result<O> extends { items: (infer I)[] } ? I : never
interface AnyPage {
  items: unknown[]
  nextPage?: string | null | undefined
}

/** All rows of a list, read page by page: for names and pickers, which must not miss any. */
export function everyPage<O extends ListOp>(op: O, args: Args<O>): Read<Item<O>[]> {
  // Under the key of the operation, so that invalidating the operation invalidates this as well.
  const queryKey = [...query(op, args).queryKey, 'every page'] as unknown as Read<Item<O>[]>['queryKey']
  return {
    queryKey,
    queryFn: async ({ signal }) => {
      const items: unknown[] = []
      const addresses: string[] = []
      let pageToken: string | null | undefined
      do {
        const query = {
          ...(args as { query: object }).query,
          limit: lookUpLimit,
          ...(pageToken ? { pageToken } : {}),
        }
        const page = (await send(op, { ...args, query }, signal)) as AnyPage
        items.push(...page.items)
        addresses.push(urlOf(op, { ...args, query }))
        pageToken = page.nextPage
      } while (pageToken)
      noteAddresses({ queryKey }, addresses.length > mostWatchedPages ? [] : addresses)
      return items as Item<O>[]
    },
  }
}
