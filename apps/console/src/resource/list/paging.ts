/** Pages of a list: size, order, page token and search are in the address, so that a reload shows the same rows. */
import { joinFilters, splitFilters } from '@purlin/contract/rules/query/query'
import { useNavigate, useRouter, useSearch } from '@tanstack/react-router'
import { firstOf } from '#/lib/text.ts'
import type { Sort } from '#/ui/table/columns.ts'

export interface PagingSearch {
  size?: number
  /** as the API calls it: `cpus_descending`; by name unless given */
  sort?: string
  /** token of the page shown; the first page has none */
  page?: string
  /** rows before those of the page shown, as far as that is known */
  at?: number
  /** what rows are searched for */
  find?: string
  /** which rows are shown: `state:running,memory:>16GiB` */
  filter?: string
  /** key of the row that is pointed out */
  marked?: string
}

/** The part of an address that is not about one page or row. */
const viewOf = (text: string): PagingSearch => {
  const {
    page: _,
    at: __,
    marked: ___,
    ...view
  } = pagingSearch(Object.fromEntries(new URLSearchParams(text)))
  return view
}
const textOfView = ({ page: _, at: __, marked: ___, ...view }: PagingSearch): string =>
  new URLSearchParams(Object.entries(view).map(([key, value]) => [key, String(value)])).toString()

const sizes = [25, 50, 100]
const sortForm = /^[a-z_]+_(ascending|descending)$/
const filterForm = /^-?[a-z_]+:/
const longest = 1000
const defaultPageSize = 50

/** `validateSearch` of a route with a list. */
export function pagingSearch(search: Record<string, unknown>): PagingSearch {
  const size = Number(search['size'])
  const { sort, filter, page } = search
  const at = Number(search['at'])
  return {
    ...(sizes.includes(size) && size !== defaultPageSize ? { size } : {}),
    ...(typeof sort === 'string' && sortForm.test(sort.slice(0, longest)) ? { sort } : {}),
    ...findSearch(search),
    ...filterSearch(filter),
    ...(typeof page === 'string' ? { page, ...(Number.isSafeInteger(at) && at > 0 ? { at } : {}) } : {}),
    ...markedSearch(search),
  }
}

function filterSearch(filter: unknown): Pick<PagingSearch, 'filter'> {
  if (typeof filter !== 'string' || filter === '' || filter.length > longest) return {}
  return splitFilters(filter).every((one) => filterForm.test(one)) ? { filter } : {}
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
  const words = typeof text === 'string' ? firstOf(text.trim(), longestFind) : ''
  return words === '' ? {} : { find: words }
}

/** The page that an address asks for. */
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

const own: readonly string[] = [
  'size',
  'sort',
  'page',
  'at',
  'find',
  'filter',
  'marked',
] satisfies (keyof PagingSearch)[]

/** Moves through the pages of the current route's list. What else its address has, such as filters, stays. */
export function usePaging() {
  const whole: Record<string, unknown> = useSearch({ strict: false })
  const search: PagingSearch = pagingSearch(whole)
  const others = Object.fromEntries(Object.entries(whole).filter(([key]) => !own.includes(key)))
  const navigate = useNavigate()
  const router = useRouter()
  const addressOf = (next: PagingSearch) => ({ to: '.', search: { ...others, ...next } })
  const go = (next: PagingSearch, replace = false) =>
    void navigate({ ...addressOf(next), resetScroll: false, replace })
  const { page, at = 0, ...rest } = search
  const [, column = 'name', direction] = /^(.+)_(ascending|descending)$/.exec(search.sort ?? '') ?? []
  const sort: Sort = { column, descending: direction === 'descending' }
  const size = search.size ?? defaultPageSize
  const { filter: ___, ...unfiltered } = rest
  // A user who changes pages has seen the marked row.
  const { marked: __, ...turned } = rest
  const following = (token: string, shown = size) => ({ ...turned, page: token, at: at + shown })
  return {
    search,
    size,
    isFirst: page === undefined,
    /** Rows before the page that is shown. */
    at,
    sort,
    /** Whether some rows are left out. */
    isNarrowed: search.find !== undefined || search.filter !== undefined,
    setSize: (next: number) => {
      const { size: _, ...others } = rest
      go({ ...others, ...(next === defaultPageSize ? {} : { size: next }) })
    },
    setSort: (next: Sort) => {
      const { sort: _, ...others } = rest
      const name = `${next.column}_${next.descending ? 'descending' : 'ascending'}`
      go({ ...others, ...(name === 'name_ascending' ? {} : { sort: name }) })
    },
    /** Searches rows by words, and by filters unless they are to stay. Replaces the current address. */
    setQuery: ({ find, filters }: { find: string; filters?: readonly string[] }) => {
      const { find: _, ...unsearched } = filters ? unfiltered : rest
      const filter = filters?.length ? { filter: joinFilters(filters) } : {}
      go({ ...unsearched, ...(find === '' ? {} : { find }), ...filter }, true)
    },
    setFilter: (filter: readonly string[]) =>
      go({ ...unfiltered, ...(filter.length === 0 ? {} : { filter: joinFilters(filter) }) }),
    /** The parts of the address for the whole list, as the text of a view. */
    view: textOfView(search),
    /** Shows the list as a view says. */
    showView: (view: string) => go(viewOf(view)),
    /** Shows all rows again. */
    clear: () => {
      const { find: _, filter: __, ...others } = rest
      go(others)
    },
    /** Goes to the last of these pages, each of which follows the one before it, in place of the current address. */
    skipTo: (tokens: readonly string[]) => {
      for (const [i, token] of tokens.entries()) before.set(token, i === 0 ? page : tokens[i - 1])
      const last = tokens.at(-1)
      if (last !== undefined) go({ ...rest, page: last, at: at + tokens.length * size }, true)
    },
    /** Opens the page that a token continues with, after this many rows of the present one. */
    next: (token: string, shown?: number) => {
      before.set(token, page)
      go(following(token, shown))
    },
    /** Reads that page in advance. */
    prefetchNext: (token: string, shown?: number) =>
      void router.preloadRoute(addressOf(following(token, shown))).catch(() => undefined),
    /** Goes to the page before: the one that was shown before this, or else the one that the server names. */
    previous: (named?: string | null, replace = false) => {
      const token = page === undefined ? undefined : (before.get(page) ?? named ?? undefined)
      go(token === undefined ? turned : { ...turned, page: token, at: Math.max(0, at - size) }, replace)
    },
  }
}
