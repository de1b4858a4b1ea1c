/** One page of a list as its address gives it, or the rows that match the search in the address. */
import type { Args, Result } from '@purlin/contract/op'
import { isUuid } from '@purlin/contract/rules/names'
import { load, query, queryClient, type Read } from '#/api/query.ts'
import { matchesLoosely } from '#/lib/text.ts'
import { everyPage, type ListOp } from '#/api/everyPage.ts'
import type { Scope } from './kinds.ts'
import { pageQuery, type PagingSearch } from './paging.ts'

/** What a list answers. A search says besides how many rows match, and of how many. */
export interface Found {
  found?: { matches: number; of: number }
}

export interface AsksFor {
  /** What the query of a page asks for besides. Searches do without. */
  asksFor?: object
}

/** ms that what was read is good for, and as much for each of its rows: long lists are read less often than short ones. */
const minStaleMs = 2000
const staleMsPerRow = 2
/** Matches that are shown; a longer search text narrows them down. */
const maxMatches = 200

/** The page of a list that an address gives, with what the query asks for besides. A search goes through all rows, because the API has none. */
export function listPage<O extends ListOp>(
  op: O,
  scope: Scope,
  { asksFor, ...search }: PagingSearch & AsksFor,
): Read<Result<O> & Found> {
  const { find, sort } = search
  const asked = (more: object) => ({ query: { ...scope, ...more } }) as unknown as Args<O>
  if (find === undefined)
    return query(op, asked({ ...pageQuery(search), ...asksFor })) as Read<Result<O> & Found>
  const all = everyPage(op, asked(sort ? { sortBy: sort } : {}))
  return {
    // Under the operation's own key, so that what makes its pages stale makes this stale too.
    queryKey: [...all.queryKey, 'find', find] as unknown as Read<Result<O> & Found>['queryKey'],
    queryFn: async () => {
      const known = queryClient.getQueryData<unknown[]>(all.queryKey)?.length ?? 0
      const rows = await load({ ...all, staleTime: Math.max(minStaleMs, known * staleMsPerRow) })
      const items = rows.filter((row) => isFound(row as object, find))
      const found = { matches: items.length, of: rows.length }
      return { items: items.slice(0, maxMatches), nextPage: null, found } as unknown as Result<O> & Found
    },
  }
}

// Few other ids contain this many of its characters by chance.
const minIdLength = 8

/** Whether one of the words that a row shows holds the text: its name, description, state, address and so on. */
export function isFound(row: object, text: string): boolean {
  const { id, state } = row as { id?: unknown; state?: { state?: unknown } }
  const values = [...Object.values(row), state?.state].filter((value) => typeof value === 'string')
  if (values.some((value) => !isUuid(value) && matchesLoosely(value, text))) return true
  return text.length >= minIdLength && typeof id === 'string' && matchesLoosely(id, text)
}
