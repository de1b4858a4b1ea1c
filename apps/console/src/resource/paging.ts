/** Pages of a list: size, order, page token and search are in the address, so that a reload shows the same rows. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Sort } from '#/ui/table/columns.ts'

export interface PagingSearch {
  size?: number
  sort?: 'name_ascending' | 'name_descending' | 'id_ascending'
  /** token of the page shown; the first page has none */
  page?: string
  /** what rows are searched for; there are no pages then */
  find?: string
  /** key of the row that is pointed out */
  marked?: string
}
const sizes = [25, 50, 100]
const sorts = ['name_ascending', 'name_descending', 'id_ascending'] as const
const defaultPageSize = 50

/** `validateSearch` of a route with a list. */
export function pagingSearch(search: Record<string, unknown>): PagingSearch {
  const size = Number(search['size'])
  const sort = sorts.find((one) => one === search['sort'])
  return {
    ...(sizes.includes(size) && size !== defaultPageSize ? { size } : {}),
    ...(sort ? { sort } : {}),
    ...findSearch(search),
    ...(typeof search['page'] === 'string' ? { page: search['page'] } : {}),
    ...markedSearch(search),
  }
}

/** The part of `validateSearch` that names the row to point out. */
export function markedSearch({ marked }: Record<string, unknown>): Pick<PagingSearch, 'marked'> {
  const key = typeof marked === 'boolean' ? String(marked) : marked
  return typeof key === 'string' && key !== '' ? { marked: key } : {}
}

const longestFind = 100
/** The part of `validateSearch` that holds the words of a search. */
export function findSearch({ find }: Record<string, unknown>): Pick<PagingSearch, 'find'> {
  // The reader of addresses makes numbers of digits, and more of other words.
  const text = typeof find === 'number' || typeof find === 'boolean' ? String(find) : find
  const words = typeof text === 'string' ? text.trim().slice(0, longestFind) : ''
  return words === '' ? {} : { find: words }
}

/** The list query that a search asks for. */
export const pageQuery = ({ size, sort, page }: PagingSearch) => ({
  limit: size ?? defaultPageSize,
  ...(sort ? { sortBy: sort } : {}),
  ...(page ? { pageToken: page } : {}),
})

// The page before each page: kept for the browser tab, so that 'prev' works after a reload.
const before = {
  keyOf: (token: string) => `purlin-page-before:${token}`,
  get(token: string): string | undefined {
    try {
      return sessionStorage.getItem(this.keyOf(token)) ?? undefined
    } catch {
      return undefined
    }
  },
  set(token: string, page: string | undefined): void {
    try {
      if (page === undefined) sessionStorage.removeItem(this.keyOf(token))
      else sessionStorage.setItem(this.keyOf(token), page)
    } catch {
      // Storage may be forbidden or full; 'prev' then leads to the first page.
    }
  },
}

const own: readonly string[] = ['size', 'sort', 'page', 'find', 'marked'] satisfies (keyof PagingSearch)[]

/** Moves through the pages of the current route's list. What else its address has, such as filters, stays. */
export function usePaging() {
  const whole: Record<string, unknown> = useSearch({ strict: false })
  const search: PagingSearch = pagingSearch(whole)
  const others = Object.fromEntries(Object.entries(whole).filter(([key]) => !own.includes(key)))
  const navigate = useNavigate()
  const go = (next: PagingSearch, replace = false) =>
    void navigate({ to: '.', search: { ...others, ...next } as never, resetScroll: false, replace })
  const { page, ...rest } = search
  const sort: Sort | undefined = search.sort?.startsWith('name')
    ? { column: 'name', descending: search.sort === 'name_descending' }
    : undefined
  const { find: _, ...unsearched } = rest
  // Whoever turns the pages has seen the row that was pointed out.
  const { marked: __, ...turned } = rest
  return {
    search,
    size: search.size ?? defaultPageSize,
    isFirst: page === undefined,
    sort,
    setSize: (size: number) =>
      go({ ...(search.sort ? { sort: search.sort } : {}), ...(size === defaultPageSize ? {} : { size }) }),
    setSort: (next: Sort | undefined) => {
      const { sort: _, ...others } = rest
      go({ ...others, ...(next ? { sort: next.descending ? 'name_descending' : 'name_ascending' } : {}) })
    },
    /** Searches rows; an empty text ends the search. Replaces the current address. */
    setFind: (find: string) => go({ ...unsearched, ...(find === '' ? {} : { find }) }, true),
    /** Goes to the last of these pages, each of which follows the one before it, in place of the current address. */
    skipTo: (tokens: readonly string[]) => {
      for (const [i, token] of tokens.entries()) before.set(token, i === 0 ? page : tokens[i - 1])
      const last = tokens.at(-1)
      if (last !== undefined) go({ ...rest, page: last }, true)
    },
    next: (token: string) => {
      before.set(token, page)
      go({ ...turned, page: token })
    },
    previous: () => {
      const token = page === undefined ? undefined : before.get(page)
      go(token === undefined ? turned : { ...turned, page: token })
    },
  }
}
