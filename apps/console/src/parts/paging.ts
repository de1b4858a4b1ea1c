/** Pages of a list: size, order and place are in the address, so that a reload shows the same rows. */
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Sort } from '../ui/table/columns.ts'

export interface PagingSearch {
  size?: number
  sort?: 'name_ascending' | 'name_descending' | 'id_ascending'
  /** token of the page shown; the first page has none */
  page?: string
}
const sizes = [25, 50, 100]
const sorts = ['name_ascending', 'name_descending', 'id_ascending'] as const
const defaultPageSize = 50
/** For look-ups that must see more than a page. */
export const lookUpLimit = 1000

/** `validateSearch` of a route with a list. */
export function pagingSearch(search: Record<string, unknown>): PagingSearch {
  const size = Number(search['size'])
  const sort = sorts.find((one) => one === search['sort'])
  return {
    ...(sizes.includes(size) && size !== defaultPageSize ? { size } : {}),
    ...(sort ? { sort } : {}),
    ...(typeof search['page'] === 'string' ? { page: search['page'] } : {}),
  }
}

/** The list query that a search asks for. */
export const pageQuery = ({ size, sort, page }: PagingSearch) => ({
  limit: size ?? defaultPageSize,
  ...(sort ? { sortBy: sort } : {}),
  ...(page ? { pageToken: page } : {}),
})

// Which page came before a page: kept for the tab, so that the way back survives a reload.
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
      // Storage may be forbidden or full; the way back then leads to the first page.
    }
  },
}

/** Moves through the pages of the current route's list. */
export function usePaging() {
  const search: PagingSearch = pagingSearch(useSearch({ strict: false }))
  const navigate = useNavigate()
  const go = (next: PagingSearch) => void navigate({ to: '.', search: next as never, resetScroll: false })
  const { page, ...rest } = search
  const sort: Sort | undefined = search.sort?.startsWith('name')
    ? { column: 'name', descending: search.sort === 'name_descending' }
    : undefined
  return {
    query: pageQuery(search),
    size: search.size ?? defaultPageSize,
    isFirst: page === undefined,
    sort,
    setSize: (size: number) =>
      go({ ...(search.sort ? { sort: search.sort } : {}), ...(size === defaultPageSize ? {} : { size }) }),
    setSort: (next: Sort | undefined) =>
      go({
        ...(search.size ? { size: search.size } : {}),
        ...(next ? { sort: next.descending ? 'name_descending' : 'name_ascending' } : {}),
      }),
    next: (token: string) => {
      before.set(token, page)
      go({ ...rest, page: token })
    },
    previous: () => {
      const token = page === undefined ? undefined : before.get(page)
      go(token === undefined ? rest : { ...rest, page: token })
    },
  }
}
