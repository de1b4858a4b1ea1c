/** One page of a list as its address gives it, or the rows that match the search in the address. */
import type { Args, Result } from '@purlin/contract/op'
import { urlOf } from '@purlin/contract/client'
import { isUuid } from '@purlin/contract/rules/names'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { isTrouble, readFilter } from '@purlin/contract/rules/query/filter'
import { splitFilters } from '@purlin/contract/rules/query/query'
import { bare } from '@purlin/contract/schema'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { snake } from '@purlin/contract/wire'
import { messages } from '@purlin/contract/rules/messages'
import { ApiError, send, argsFor } from '#/api/send.ts'
import { keyOf, load, query, queryClient, type Read } from '#/api/query.ts'
import { matchesLoosely } from '#/lib/text.ts'
import { everyPage, type Item, type ListOp, type Page } from '#/api/everyPage.ts'
import type { Scope } from '../kind.ts'
import { pageQuery, type PagingSearch } from './paging.ts'

/** A page as it was found. */
export interface Found extends Omit<Page, 'items'> {
  /** The list is too long for the requested order: its rows are in order of names. */
  isUnordered?: true
}

export interface AsksFor {
  /** Further query fields of a page. */
  asksFor?: object
}

/** ms that what was read is good for, and as much for each of its rows: long lists are read less often than short ones. */
const minStaleMs = 2000
const staleMsPerRow = 2
/** Matches that are shown of a list that the server does not search. */
const maxMatches = 200

/** The orders that a list has. */
function modesOf({ query: schema }: ListOp): readonly unknown[] {
  const node = bare(schema.node)
  const field = node.kind === 'object' ? node.fields.find((one) => one.wire === 'sort_by') : undefined
  const values = field && bare(field.node)
  return values?.kind === 'enum' ? values.values : []
}

/** The order of an address, by name unless given; undefined if it is the list's default or none that the list has. */
function orderIn(op: ListOp, sort = 'name_ascending'): string | undefined {
  const [first, ...others] = modesOf(op)
  return sort !== first && others.includes(sort) ? sort : undefined
}

/** The orders of columns that a list has. */
export const ordersOf = (list: ListOp): ReadonlySet<string> =>
  new Set(modesOf(list).map((mode) => String(mode).replace(/_(ascending|descending)$/, '')))

const takes = ({ query: schema }: ListOp, wire: string): boolean => {
  const node = bare(schema.node)
  return node.kind === 'object' && node.fields.some((field) => field.wire === wire)
}

/** The filters of an address that the list knows. */
function filtersOf(op: ListOp, filter = ''): string[] {
  const columns = columnsOf(filteredKindOf(op) ?? '')
  return splitFilters(filter).filter((one) => !isTrouble(readFilter(columns, one)))
}

/** The address of all rows that an address of the console searches and filters, whatever their page and order. */
export function matchingAddress<O extends ListOp>(
  op: O,
  scope: Scope,
  { asksFor, find, filter }: PagingSearch & AsksFor,
): string {
  const filters = filtersOf(op, filter)
  const args = {
    ...scope,
    ...asksFor,
    ...(find === undefined ? {} : { find }),
    ...(filters.length === 0 ? {} : { filter: filters }),
  }
  return urlOf(op, argsFor(op, { query: args }))
}

/** The same in the order of the address. */
export function exportedAddress<O extends ListOp>(
  op: O,
  scope: Scope,
  search: PagingSearch & AsksFor,
): string {
  const all = matchingAddress(op, scope, search)
  const sort = orderIn(op, search.sort)
  return sort === undefined ? all : `${all}${all.includes('?') ? '&' : '?'}sort_by=${sort}`
}

// Another server of the contract ignores our additions: it is tried once.
let searches = true

/** The resource whose parts are listed, where that is not a scope. */
interface Whole {
  sledId?: string
  receiver?: string
}

/** The part of a scope that the path of a list names. */
function paramsIn({ path }: ListOp, scope: object): { params?: object } {
  const named = Object.entries(scope).filter(([key]) => path.includes(`{${snake(key)}}`))
  return named.length === 0 ? {} : { params: Object.fromEntries(named) }
}

/** The page of a list that an address gives, with what the query asks for besides. */
export function listPage<O extends ListOp>(
  op: O,
  scope: Scope | Whole,
  { asksFor, ...search }: PagingSearch & AsksFor,
): Read<Result<O> & Found> {
  const params = paramsIn(op, scope)
  const argsWith = (more: object) => argsFor(op, { ...params, query: { ...scope, ...more } })
  const { find } = search
  const filter = filtersOf(op, search.filter)
  const { sortBy, ...page } = pageQuery(search)
  const order = orderIn(op, sortBy)
  const inNames = {
    ...page,
    ...asksFor,
    ...(takes(op, 'total') ? { total: true } : {}),
    ...(find === undefined || !takes(op, 'find') ? {} : { find }),
    ...(filter.length === 0 ? {} : { filter }),
  }
  const read = ordered<Result<O> & Found>(
    query(op, argsWith({ ...(order === undefined ? {} : { sortBy: order }), ...inNames })),
    () => send(op, argsWith({ ...inNames, pageToken: undefined })),
  )
  if (find === undefined) return read
  // The request of a list without search is the same for all texts.
  const own = takes(op, 'find')
    ? read
    : { ...read, queryKey: keyOf<Result<O> & Found>(...read.queryKey, find) }
  const others = { ...asksFor, ...(filter.length === 0 ? {} : { filter }) }
  return searched(op, own, () => everyRowWith(op, argsWith(others), { find }))
}

/** The server's answer or, for a list that is too long for an order, its first page in order of names. */
const ordered = <T extends Found>(read: Read<T>, inNames: () => Promise<T>): Read<T> => ({
  queryKey: read.queryKey,
  queryFn: async (context) => {
    try {
      return await read.queryFn(context)
    } catch (error) {
      if (!(error instanceof ApiError) || !messages.badOrder.read(error.message)) throw error
      return { ...(await inNames()), isUnordered: true }
    }
  },
})

/** The server's results, or `otherwise` on a server without search. */
const searched = <O extends ListOp, T extends Found>(
  op: O,
  read: Read<T>,
  otherwise: () => Promise<T>,
): Read<T> => ({
  queryKey: read.queryKey,
  queryFn: async (context) => {
    if (searches && takes(op, 'find')) {
      const answer = await read.queryFn(context)
      if (answer.totals) return answer
      searches = false
    }
    return otherwise()
  },
})

export interface Offered<R> {
  /** The typed text. */
  find: string
  /** A filter of the server: `state:detached`. */
  filter?: readonly string[] | undefined
  /** The same for a server that does not filter. */
  fits?: ((row: R) => boolean) | undefined
  limit: number
}

/** The rows of a list to choose from: those that are found by what is typed. */
export function offeredPage<O extends ListOp>(
  op: O,
  scope: Scope,
  { find, filter = [], fits, limit }: Offered<Item<O>>,
): Read<Result<O> & Found> {
  const argsWith = (more: object) => argsFor(op, { query: { ...scope, ...more } })
  const args = argsWith({
    limit,
    ...(find === '' ? {} : { find }),
    ...(filter.length === 0 ? {} : { filter }),
    total: true,
  })
  const read: Read<Result<O> & Found> = query(op, args)
  return searched(op, read, () => everyRowWith(op, argsWith({}), { find, fits, most: limit }))
}

/** The rows with a text, of a list whose server does not search: all of them are read. */
async function everyRowWith<O extends ListOp>(
  op: O,
  args: Args<O>,
  { find, fits = () => true, most = maxMatches }: Pick<Offered<Item<O>>, 'find' | 'fits'> & { most?: number },
): Promise<Result<O> & Found> {
  const all = everyPage(op, args)
  const known = queryClient.getQueryData<unknown[]>(all.queryKey)?.length ?? 0
  const rows = await load({ ...all, staleTime: Math.max(minStaleMs, known * staleMsPerRow) })
  const items = rows.filter((row) => fits(row) && isFound(row, find))
  return {
    items: items.slice(0, most),
    nextPage: null,
    totalItems: items.length,
  } as unknown as Result<O> & Found
}

// Few other ids contain this many of its characters by chance.
const minIdLength = 8

/** Whether one of the words that a row shows holds the text: its name, description, state, address and so on. */
export function isFound(row: object, text: string): boolean {
  const id = 'id' in row ? row.id : undefined
  const state = 'state' in row && typeof row.state === 'object' ? Object.values(row.state ?? {}) : []
  const values = [...Object.values(row), ...state].filter((value) => typeof value === 'string')
  if (values.some((value) => !isUuid(value) && matchesLoosely(value, text))) return true
  return text.length >= minIdLength && typeof id === 'string' && matchesLoosely(id, text)
}
