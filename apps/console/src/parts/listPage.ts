/** One page of a list as its address asks for it, or the rows that the address searches for. */
import type { Args, Result } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import { load, query, queryClient, type Read } from '../api.ts'
import { matchesLoosely } from '../lib/text.ts'
import { everyPage, type ListOp } from './everyPage.ts'
import { pageQuery, type PagingSearch } from './paging.ts'

/** What a list answers. A search says besides how many rows match, and of how many. */
export interface Found {
  found?: { matches: number; of: number }
}

/** ms that what was read is good for, and as much for each of its rows: long lists are read less often than short ones. */
const rest = 2000
const restPerRow = 2
/** Matches that are shown; whoever has more says more of what they look for. */
const most = 200

/** The page of a list that an address asks for. A search goes through all rows, because the API has none. */
export function listPage<O extends ListOp>(
  op: O,
  scope: { project?: string },
  search: PagingSearch,
): Read<Result<O> & Found> {
  const { find, sort } = search
  const asked = (more: object) => ({ query: { ...scope, ...more } }) as unknown as Args<O>
  if (find === undefined) return query(op, asked(pageQuery(search))) as Read<Result<O> & Found>
  const all = everyPage(op, asked(sort ? { sortBy: sort } : {}))
  return {
    // Under the operation's own key, so that what makes its pages stale makes this stale too.
    queryKey: [...all.queryKey, 'find', find] as unknown as Read<Result<O> & Found>['queryKey'],
    queryFn: async () => {
      const known = queryClient.getQueryData<unknown[]>(all.queryKey)?.length ?? 0
      const rows = await load({ ...all, staleTime: Math.max(rest, known * restPerRow) })
      const items = rows.filter((row) => isFound(row as object, find))
      const found = { matches: items.length, of: rows.length }
      return { items: items.slice(0, most), nextPage: null, found } as unknown as Result<O> & Found
    },
  }
}

// So much of an id is not in many others by chance.
const telling = 8

/** Whether one of the words that a row shows holds the text: its name, description, state, address and so on. */
export function isFound(row: object, text: string): boolean {
  const { id, state } = row as { id?: unknown; state?: { state?: unknown } }
  const words = [...Object.values(row), state?.state].filter((value) => typeof value === 'string')
  if (words.some((word) => !isUuid(word) && matchesLoosely(word, text))) return true
  return text.length >= telling && typeof id === 'string' && matchesLoosely(id, text)
}
