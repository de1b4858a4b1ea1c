/** Lists that are asked for some of their rows: those with words, and those with values of columns that have few. */
import { limits } from '@purlin/contract/rules/limits'
import type { FilterColumn } from '@purlin/contract/kinds/kind'
import { rulesOf } from '@purlin/contract/rules/lists'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { sql } from 'kysely'
import { batches } from '../batches.ts'
import {
  allRows,
  bytesIn,
  gap,
  inOrderAfter,
  lastOf,
  limitOf,
  nextToken,
  type Keys,
  type List,
  type ListRequest,
  type Order,
  type Page,
  type Row,
  type Rows,
  type Totals,
} from './lists.ts'
import { candidatesIn } from './search-index.ts'
import { addressCounts, isFound, readFind, textColumns, wordsOfIndex, type Find } from './search-text.ts'
import { valueColumns } from './search-values.ts'

/** What a request wants of a list. */
export interface Wanted {
  find: Find | undefined
  /** The values of each filtered column that are wanted. */
  filters: ReadonlyMap<string, { column: FilterColumn; values: readonly string[] }>
}

/** Undefined if all rows are wanted. */
export function wantedOf({ find: text, filter = [] }: PageQuery, kind: string): Wanted | undefined {
  const find = readFind(text)
  const filters = new Map<string, { column: FilterColumn; values: string[] }>()
  for (const one of filter) {
    const at = one.indexOf(':')
    const name = one.slice(0, at)
    const column = rulesOf(kind).filters[name]
    const known = filters.get(name)
    if (known) known.values.push(one.slice(at + 1))
    else if (column) filters.set(name, { column, values: [one.slice(at + 1)] })
  }
  return find || filters.size > 0 ? { find, filters } : undefined
}

const valueIn = (row: Row, column: FilterColumn): string =>
  'isFlag' in column ? String(row[column.field] !== null) : String(row[column.field])

const fits = (row: Row, { filters }: Wanted): boolean =>
  [...filters.values()].every(({ column, values }) => values.includes(valueIn(row, column)))

// A longer text from before there was a maximum is looked at as far as that.
const longestText = 4096

/** What is read of the rows that are looked through: the columns of the order, and those that are wanted. */
function looked<T>(
  { table = 'disk', prefix, origin }: List<T>,
  request: ListRequest,
  { names, find }: { names: readonly string[]; find?: Find | undefined },
) {
  const texts = new Set(textColumns(table))
  const columns = names.map((name) => {
    const column = sql.ref(`${prefix}${name}`)
    return (texts.has(name) ? sql`substr(${column}, 1, ${sql.lit(longestText)})` : column).as(name)
  })
  // The builder cannot know the columns of a table in a variable.
  const rows = allRows(request.tx, origin as { rows: Rows<Row> }).select(columns) as Rows<Row>
  return table === 'instance' && find ? withAddresses(rows, find) : rows
}

/** The rows of instances with how many addresses each has that words look for. */
function withAddresses(rows: Rows<Row>, find: Find): Rows<Row> {
  const tables = ['networkInterface', 'externalIp'] as const
  return find.reduce((all, { addresses }, word) => {
    if (addresses.length === 0) return all
    const names = addressCounts(word)
    return all.select((eb) =>
      tables.map((from, i) =>
        eb
          .selectFrom(from as 'networkInterface')
          .select((one) => one.fn.countAll<number>().as('count'))
          .whereRef(`${from as 'networkInterface'}.instanceId`, '=', 'instance.id')
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

const namesFor = <T>(list: List<T>, { find, filters }: Wanted, more: readonly string[]): string[] => [
  ...new Set([
    'id',
    ...more,
    ...(find ? textColumns(list.table ?? '') : []),
    ...(find ? valueColumns(list.table ?? '').map(({ field }) => field) : []),
    ...[...filters.values()].map(({ column }) => column.field),
  ]),
]

const isWanted = <T>(row: Row, list: List<T>, wanted: Wanted): boolean =>
  fits(row, wanted) && (!wanted.find || isFound(wanted.find, list.table ?? '', row))

// Most lists end before; of the others the index may say which rows to look at.
const firstLook = 1000
const mostCandidates = 10_000

interface Asked<T, W = Wanted> {
  list: List<T>
  sort: Order
  wanted: W
}

/** A page of which the ids are read first, and then the rows by their ids. All rows unless some are wanted. */
export async function foundPage<T>(
  request: ListRequest,
  query: PageQuery,
  { list, sort, wanted }: Asked<T, Wanted | undefined>,
): Promise<Page<T>> {
  if (wanted) return wantedPage(request, query, { list, sort, wanted })
  const limit = limitOf(query)
  const last = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  const all = looked(list, request, { names: ['id', ...sort.columns] })
  const found = await inOrderAfter(all, list.prefix, { sort, last, count: limit + 1 }).execute()
  return shown(request, found, { asked: { list, sort }, limit })
}

/** The page may be short, and then says how to go on: a request looks through a limited number of rows. */
async function wantedPage<T>(request: ListRequest, query: PageQuery, asked: Asked<T>): Promise<Page<T>> {
  const { list, sort, wanted } = asked
  const limit = limitOf(query)
  const names = namesFor(list, wanted, sort.columns)
  const found: Row[] = []
  let last: Keys | undefined = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  for (let seen = 0; ;) {
    const count = seen === 0 ? firstLook : limits.lists.looksThrough
    const rows = await inOrderAfter(looked(list, request, { names, find: wanted.find }), list.prefix, {
      sort,
      last,
      count,
    }).execute()
    found.push(...rows.filter((row) => isWanted(row, list, wanted)))
    if (found.length > limit || rows.length < count) return shown(request, found, { asked, limit })
    last = keysOf(sort, rows.at(-1))
    seen += rows.length
    const candidates = seen === firstLook ? await candidatesOf(request, list, wanted) : undefined
    if (candidates && candidates !== 'many') {
      const first = query.pageToken ? lastOf(query.pageToken, sort) : undefined
      const among = await rowsAmong(request, { asked, names }, candidates)
      return shown(request, inOrder(among, sort, first), { asked, limit })
    }
    if (seen > firstLook) return shown(request, found, { asked, limit, goesOn: last })
  }
}

/** The rows that may be wanted, if the index knows them: `many` if they are too many. */
async function candidatesOf<T>(
  request: ListRequest,
  { table, holder, within }: List<T>,
  { find }: Wanted,
): Promise<string[] | 'many' | undefined> {
  const place = within ?? (table && holder !== undefined ? { table, holder } : undefined)
  const words = find && wordsOfIndex(find, table ?? '')
  if (!words?.length || !place) return undefined
  const ids = await candidatesIn(request, place, { find: words, most: mostCandidates + 1 })
  return ids.length > mostCandidates ? 'many' : ids
}

const idsPerRead = 500

async function rowsAmong<T>(
  request: ListRequest,
  { asked: { list, wanted }, names }: { asked: Pick<Asked<T>, 'list' | 'wanted'>; names: readonly string[] },
  ids: readonly string[],
): Promise<Row[]> {
  const rows: Row[] = []
  for (const some of batches(ids, idsPerRead)) {
    const read = await looked(list, request, { names, find: wanted.find })
      .where(sql.ref(`${list.prefix}id`), 'in', some)
      .execute()
    rows.push(...read.filter((row) => isWanted(row, list, wanted)))
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

/** The page of rows that were found; `goesOn` says where the next one looks on if these are all so far. */
async function shown<T>(
  request: ListRequest,
  found: readonly Row[],
  {
    asked: { list, sort },
    limit,
    goesOn,
  }: { asked: Pick<Asked<T>, 'list' | 'sort'>; limit: number; goesOn?: Keys },
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
    const byId = new Map(read.map((row) => [String((row as Row)['id']), row]))
    for (const id of ids) {
      const row = byId.get(id)
      if (!row) continue
      const item = await list.whole(request, row)
      bytes += bytesIn(item as Row, Object.keys(item as Row))
      if (bytes > limits.page.bytes && items.length > 0)
        return { items, nextPage: tokenAfter(request, sort, some[items.length - 1]) }
      items.push(item)
    }
  }
  if (found.length > limit) return { items, nextPage: tokenAfter(request, sort, some.at(-1)) }
  return { items, nextPage: goesOn ? nextToken(request, goesOn.join(gap)) : null }
}

const tokenAfter = (request: ListRequest, sort: Order, row: Row | undefined): string =>
  nextToken(request, keysOf(sort, row).join(gap))

/** How many rows a list has, as far as it is counted. */
export async function countUpTo<T>({ tx }: ListRequest, list: List<T>, most: number): Promise<number> {
  const some = (allRows(tx, list.origin) as Rows<Row>).clearSelect().select(sql.lit(1).as('one')).limit(most)
  const { count } = await tx
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** How many rows of a kind there are in what holds them, where that is kept. */
async function tallied<T>(
  { tx }: ListRequest,
  { holder }: List<T>,
  kind: string,
): Promise<number | undefined> {
  if (!holder) return undefined
  const row = await tx
    .selectFrom('tally')
    .select('count')
    .where('holderId', '=', holder)
    .where('kind', '=', kind)
    .executeTakeFirst()
  return row?.count
}

interface Group {
  values: Readonly<Record<string, string>>
  count: number
}

/** The totals of what is wanted: none if there are too many rows to count, or to look through. */
export async function totalsOf<T>(
  request: ListRequest,
  list: List<T>,
  { kind, wanted }: { kind: string; wanted: Wanted | undefined },
): Promise<Totals> {
  const columns = rulesOf(kind).filters
  const known = await tallied(request, list, kind)
  // Those that are counted where they are made need not be counted again.
  if (known !== undefined && known > limits.lists.counted)
    return { ...(wanted ? {} : { totalItems: known }), totals: {} }
  const groups = wanted?.find
    ? await groupsFound(request, list, { columns, find: wanted.find })
    : await groupsOf(request, list, columns)
  if (!groups) return { totals: {} }
  const has = (group: Group, but?: string) =>
    [...(wanted?.filters ?? [])].every(
      ([name, { values }]) => name === but || values.includes(group.values[name] ?? ''),
    )
  const totals: Totals['totals'] = {}
  for (const name of Object.keys(columns)) {
    const counts: Record<string, number> = {}
    for (const group of groups) {
      const value = group.values[name] ?? ''
      if (has(group, name)) counts[value] = (counts[value] ?? 0) + group.count
    }
    totals[name] = counts
  }
  const totalItems = groups.filter((group) => has(group)).reduce((sum, { count }) => sum + count, 0)
  return { totalItems, totals }
}

type Columns = Readonly<Record<string, FilterColumn>>

/** All rows by their values, counted by the database. */
async function groupsOf<T>(
  request: ListRequest,
  list: List<T>,
  columns: Columns,
): Promise<Group[] | undefined> {
  const { counted } = limits.lists
  const names = Object.keys(columns)
  if (names.length === 0) {
    const count = await countUpTo(request, list, counted + 1)
    return count > counted ? undefined : [{ values: {}, count }]
  }
  const picked = names.map((name) => {
    const column = columns[name] as FilterColumn
    const field = sql.ref(`${list.prefix}${column.field}`)
    return ('isFlag' in column ? sql`case when ${field} is null then 'false' else 'true' end` : field).as(
      name,
    )
  })
  const some = (allRows(request.tx, list.origin) as Rows<Row>)
    .clearSelect()
    .select(picked)
    .limit(counted + 1)
  const refs = names.map((name) => sql.ref<string>(`some.${name}`))
  const rows = await request.tx
    .selectFrom(some.as('some'))
    .select([...refs.map((ref, i) => ref.as(names[i] ?? '')), countAll.as('count')])
    .groupBy(refs)
    .execute()
  const groups = (rows as object[] as Row[]).map((row) => ({
    values: Object.fromEntries(names.map((name) => [name, String(row[name])])),
    count: Number(row['count']),
  }))
  return groups.reduce((sum, { count }) => sum + count, 0) > counted ? undefined : groups
}
const countAll = sql<number | string>`count(*)`

/** The rows with words, each by its values. */
async function groupsFound<T>(
  request: ListRequest,
  list: List<T>,
  { columns, find }: { columns: Columns; find: Find },
): Promise<Group[] | undefined> {
  const wanted: Wanted = { find, filters: new Map() }
  const fields = Object.values(columns).map(({ field }) => field)
  const names = namesFor(list, wanted, fields)
  const rows = await rowsWith(request, list, { wanted, names })
  return rows?.map((row) => ({
    values: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, valueIn(row, column)])),
    count: 1,
  }))
}

async function rowsWith<T>(
  request: ListRequest,
  list: List<T>,
  { wanted, names }: { wanted: Wanted; names: readonly string[] },
): Promise<Row[] | undefined> {
  const { looksThrough } = limits.lists
  const isShort = (await countUpTo(request, list, firstLook + 1)) <= firstLook
  const candidates = isShort ? undefined : await candidatesOf(request, list, wanted)
  if (candidates === 'many') return undefined
  if (candidates) return rowsAmong(request, { asked: { list, wanted }, names }, candidates)
  const rows = await looked(list, request, { names, find: wanted.find })
    .limit(looksThrough + 1)
    .execute()
  return rows.length > looksThrough ? undefined : rows.filter((row) => isWanted(row, list, wanted))
}
