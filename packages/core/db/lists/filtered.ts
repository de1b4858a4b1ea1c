/** Filtered lists: by the words of a search, and by the values of columns with few values. */
import { limits } from '@purlin/contract/rules/limits'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { sql } from 'kysely'
import { fault } from '#/faults.ts'
import { batches } from '../batches.ts'
import { filtersFrom, type Filters } from './conditions.ts'
import {
  allRows,
  bytesIn,
  countUpTo,
  inOrderAfter,
  limitOf,
  type List,
  type Order,
  type Page,
  type Row,
  type Rows,
  columnsOf,
} from './list.ts'
import { lastOf, nextToken, type Keys, type ListRequest } from './page-token.ts'
import { candidatesIn } from './search-index.ts'
import { addressCounts, isFound, readFind, textColumns, type Find } from './search-text.ts'
import { mayBeValue, valueColumns } from './search-values.ts'
import { taggedIn } from './tag-filter.ts'

/** The filter of a request for a list. */
export interface RowFilter {
  find: Find | undefined
  filters: Filters
}

/** Undefined for all rows. Throws 400 for filters that are too long together. */
export function filterOf(
  { find: text, filter = [] }: PageQuery,
  { kind, now }: { kind: string; now: number },
): RowFilter | undefined {
  const find = readFind(text)
  checkLength(filter)
  const filters = filtersFrom(kind, filter, now)
  return find || filters.size > 0 ? { find, filters } : undefined
}

/** Throws 400 for filters that are too long together. */
export function checkLength(filters: readonly string[]): void {
  const { all } = limits.filters
  if (filters.reduce((sum, one) => sum + one.length, 0) > all)
    throw fault.badQuery(`filter: all filters together may contain at most ${all} characters`)
}

const fits = (row: Row, { filters }: RowFilter): boolean =>
  [...filters.values()].every((conditions) => conditions.fits(row))

// Texts stored before the maximum existed may be longer. The rest is ignored.
const longestText = 4096
/** Tags are never longer, and are read as a whole. */
const isLong = (table: string, name: string) => name !== 'tagsJson' && textColumns(table).includes(name)

/** Candidate rows, before filtering: only the named columns. */
function candidateRows<T>(
  { table = 'disk', prefix, origin }: List<T>,
  request: ListRequest,
  { names, find }: { names: readonly string[]; find?: Find | undefined },
) {
  const columns = names.map((name) => {
    const column = sql.ref(`${prefix}${name}`)
    return (isLong(table, name) ? sql`substr(${column}, 1, ${sql.lit(longestText)})` : column).as(name)
  })
  // The builder cannot know the columns of a table in a variable.
  const rows = allRows(request.tx, origin as { rows: Rows<Row> }).select(columns)
  return table === 'instance' && find ? withAddresses(rows, find) : rows
}

/** Instance rows, each with the number of its addresses that match the words. */
function withAddresses(rows: Rows<Row>, find: Find): Rows<Row> {
  const tables = ['networkInterface', 'externalIp'] as const
  return find.reduce((all, { addresses }, word) => {
    if (addresses.length === 0) return all
    const names = addressCounts(word)
    return all.select((eb) =>
      tables.map((from, i) =>
        eb
          .selectFrom(from)
          .select((one) => one.fn.countAll<number>().as('count'))
          .whereRef(`${from}.instanceId`, '=', 'instance.id')
          .where((one) =>
            one.or(
              addresses.map(([first, last]) =>
                one.and([one('ipKey', '>=', first), one('ipKey', '<=', last)]),
              ),
            ),
          )
          .as(names[i] ?? ''),
      ),
    )
  }, rows)
}

/** The columns that a filter needs. */
const namesFor = <T>(list: List<T>, { find, filters }: RowFilter, more: readonly string[]): string[] => [
  ...new Set([
    'id',
    ...more,
    ...(find ? textColumns(list.table ?? '') : []),
    ...(find ? valueColumns(list.table ?? '').map(({ field }) => field) : []),
    ...[...filters.values()].map(({ field }) => field),
  ]),
]

const isMatch = <T>(row: Row, list: List<T>, filter: RowFilter): boolean =>
  fits(row, filter) && (!filter.find || isFound(filter.find, list.table ?? '', row))

// Most lists are shorter. For the others, the index may give the candidates.
const firstScan = 1000
const mostCandidates = 10_000
/** Rows in memory at once with all their tags, which may be many times longer than the rest of a row. */
const taggedAtOnce = 2000

interface FoundRequest<T, W = RowFilter> {
  list: List<T>
  sort: Order
  filter: W
}

/** Reads the ids of a page first, then its rows by id. Without a filter, all rows qualify. */
export async function foundPage<T>(
  request: ListRequest,
  query: PageQuery,
  { list, sort, filter }: FoundRequest<T, RowFilter | undefined>,
): Promise<Page<T>> {
  if (filter) return filteredPage(request, query, { list, sort, filter })
  const limit = limitOf(query)
  const last = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  const all = candidateRows(list, request, { names: ['id', ...sort.columns] })
  const found = await inOrderAfter(all, list.prefix, { sort, last, count: limit + 1 }).execute()
  return pageFrom(request, found, { search: { list, sort }, limit })
}

/** A request scans a limited number of rows, so the page may be short. It then has a token to continue with. */
async function filteredPage<T>(
  request: ListRequest,
  query: PageQuery,
  search: FoundRequest<T>,
): Promise<Page<T>> {
  const { list, sort, filter } = search
  const limit = limitOf(query)
  const kept = sort.columns
  const found: Row[] = []
  let last: Keys | undefined = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  for (let seen = 0; ;) {
    const count = seen === 0 ? firstScan : limits.lists.looksThrough
    const part = await scan(request, list, { filter, kept, sort, last, count })
    found.push(...part.matching)
    if (found.length > limit || part.seen < count) return pageFrom(request, found, { search, limit })
    last = part.last
    seen += part.seen
    const candidates = seen === firstScan ? await candidatesOf(request, list, filter) : undefined
    if (candidates && candidates !== 'many') {
      const first = query.pageToken ? lastOf(query.pageToken, sort) : undefined
      const among = await rowsAmong(request, { search, kept }, candidates)
      return pageFrom(request, inOrder(among, sort, first), { search, limit })
    }
    if (seen > firstScan) return pageFrom(request, found, { search, limit, goesOn: last })
  }
}

interface Scan {
  filter: RowFilter
  /** The columns of matching rows that are needed. */
  kept: readonly string[]
  sort: Order
  last: Keys | undefined
  count: number
}

/** Looks through the next `count` rows: those that match, how many there were, and where they ended. */
async function scan<T>(request: ListRequest, list: List<T>, { filter, kept, sort, last, count }: Scan) {
  const names = namesFor(list, filter, [...kept, ...sort.columns])
  const atOnce = names.includes('tagsJson') ? taggedAtOnce : count
  const matching: Row[] = []
  let seen = 0
  let end = last
  for (let isWhole = true; isWhole && seen < count;) {
    const some = Math.min(atOnce, count - seen)
    const all = candidateRows(list, request, { names, find: filter.find })
    const rows = await inOrderAfter(all, list.prefix, { sort, last: end, count: some }).execute()
    for (const row of rows) if (isMatch(row, list, filter)) matching.push(only(row, kept))
    seen += rows.length
    if (rows.length > 0) end = keysOf(sort, rows.at(-1))
    isWhole = rows.length === some
  }
  return { matching, seen, last: end }
}

/** A row without what only its filter needs. */
const only = (row: Row, kept: readonly string[]): Row =>
  Object.fromEntries(['id', ...kept].map((name) => [name, row[name] ?? null]))

/** The ids of the rows that may match, if the index knows them: `many` if there are too many. */
async function candidatesOf<T>(
  request: ListRequest,
  { table, holder, within }: List<T>,
  { find, filters }: RowFilter,
): Promise<string[] | 'many' | undefined> {
  const place = within ?? (table && holder !== undefined ? { table, holder } : undefined)
  const tags = filters.get('tag')?.tags
  const tagged = place && tags && (await taggedIn(request.tx, place, { tags, most: mostCandidates + 1 }))
  if (tagged && tagged.length <= mostCandidates) return tagged
  const words = find && wordsOfIndex(find, table ?? '')
  if (!words?.length || !place) return undefined
  const ids = await candidatesIn(request, place, { find: words, most: mostCandidates + 1 })
  return ids.length > mostCandidates ? 'many' : ids
}

const idsPerRead = 500

async function rowsAmong<T>(
  request: ListRequest,
  {
    search: { list, filter },
    kept,
  }: { search: Pick<FoundRequest<T>, 'list' | 'filter'>; kept: readonly string[] },
  ids: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = []
  const names = namesFor(list, filter, kept)
  for (const some of batches(ids, idsPerRead)) {
    const read = await candidateRows(list, request, { names, find: filter.find })
      .where(sql.ref(`${list.prefix}id`), 'in', some)
      .execute()
    for (const row of read) if (isMatch(row, list, filter)) rows.push(only(row, kept))
  }
  return rows
}

const keysOf = (sort: Order, row: Row | undefined): Keys => sort.columns.map((name) => row?.[name] ?? '')

function inOrder(rows: Row[], sort: Order, last: Keys | undefined): Row[] {
  const sign = sort.descending ? -1 : 1
  const compare = (a: Keys, b: Keys): number => {
    const at = a.findIndex((key, i) => key !== b[i])
    if (at < 0) return 0
    return (a[at] ?? '') < (b[at] ?? '') ? -sign : sign
  }
  const keyed = rows.map((row) => ({ row, keys: keysOf(sort, row) }))
  return keyed
    .filter(({ keys }) => last === undefined || compare(keys, last) > 0)
    .toSorted((a, b) => compare(a.keys, b.keys))
    .map(({ row }) => row)
}

/** The page of the rows that were found. `goesOn` is where the next page continues if the scan stopped early. */
async function pageFrom<T>(
  request: ListRequest,
  found: readonly Row[],
  {
    search: { list, sort },
    limit,
    goesOn,
  }: { search: Pick<FoundRequest<T>, 'list' | 'sort'>; limit: number; goesOn?: Keys | undefined },
): Promise<Page<T>> {
  const some = found.slice(0, limit)
  const items: T[] = []
  let bytes = 0
  for (const batch of batches(some, list.rowsPerRead)) {
    const ids = batch.map((row) => String(row['id']))
    const read = await list
      .select(allRows(request.tx, list.origin))
      .where(sql.ref(`${list.prefix}id`), 'in', ids)
      .execute()
    const byId = new Map(read.map((row) => [String(columnsOf(row)['id']), row]))
    for (const id of ids) {
      const row = byId.get(id)
      if (!row) continue
      const item = await list.whole(request, row)
      bytes += bytesIn(columnsOf(item), Object.keys(columnsOf(item)))
      if (bytes > limits.page.bytes && items.length > 0)
        return { items, nextPage: tokenAfter(request, sort, some[items.length - 1]) }
      items.push(item)
    }
  }
  if (found.length > limit) return { items, nextPage: tokenAfter(request, sort, some.at(-1)) }
  return { items, nextPage: goesOn ? nextToken(request, goesOn) : null }
}

const tokenAfter = (request: ListRequest, sort: Order, row: Row | undefined): string =>
  nextToken(request, keysOf(sort, row))

const inIdOrder: Order = { columns: ['id'], descending: false }

/** The id and the `kept` columns of all rows that match. Undefined if there are too many to scan. */
export async function matchingRows<T>(
  request: ListRequest,
  list: List<T>,
  { filter, kept }: { filter: RowFilter; kept: readonly string[] },
): Promise<Row[] | undefined> {
  const { looksThrough } = limits.lists
  const isShort = (await countUpTo(request, list, firstScan + 1)) <= firstScan
  const candidates = isShort ? undefined : await candidatesOf(request, list, filter)
  if (candidates === 'many') return undefined
  if (candidates) return rowsAmong(request, { search: { list, filter }, kept }, candidates)
  const count = looksThrough + 1
  const { matching, seen } = await scan(request, list, {
    filter,
    kept,
    sort: inIdOrder,
    last: undefined,
    count,
  })
  return seen > looksThrough ? undefined : matching
}

/** The words that only the index can find: others may be values, or addresses of instances. */
const wordsOfIndex = (find: Find, table: string): Find =>
  find.filter(
    ({ text, addresses }) => !mayBeValue(table, text) && (table !== 'instance' || addresses.length === 0),
  )
