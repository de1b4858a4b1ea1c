import type { Args, OpShape, Result } from '@purlin/contract/op'
import { query, type Read } from '../api.ts'
import { send } from '../send.ts'
import { lookUpLimit } from './paging.ts'

/** An operation that lists page by page. */
export type ListOp = OpShape & { readonly query: NonNullable<OpShape['query']> }
/** One row of what an operation lists. */
export type Item<O extends OpShape> = Result<O> extends { items: (infer I)[] } ? I : never
interface AnyPage {
  items: unknown[]
  nextPage?: string | null | undefined
}

/** All rows of a list, read page by page: for names and pickers, where a row left out would be a person left out. */
export const everyPage = <O extends ListOp>(op: O, args: Args<O>): Read<Item<O>[]> => ({
  // Under the operation's own key, so that what makes its pages stale makes this stale too.
  queryKey: [...query(op, args).queryKey, 'every page'] as unknown as Read<Item<O>[]>['queryKey'],
  queryFn: async ({ signal }) => {
    const items: unknown[] = []
    let pageToken: string | null | undefined
    do {
      const asked = {
        ...(args as { query: object }).query,
        limit: lookUpLimit,
        ...(pageToken ? { pageToken } : {}),
      }
      const page = (await send(op, { ...args, query: asked }, signal)) as AnyPage
      items.push(...page.items)
      pageToken = page.nextPage
    } while (pageToken)
    return items as Item<O>[]
  },
})
