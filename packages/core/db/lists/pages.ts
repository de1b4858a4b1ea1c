/** Keyset pagination, once: a page of rows, and the token that continues it. */
import type { PageQuery } from '@purlin/contract/schemas/page'
import { limits } from '@purlin/contract/rules/limits'
import { rulesOf } from '@purlin/contract/rules/lists'
import { sql } from 'kysely'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { fault } from '#/faults.ts'
import { kindOfTable } from '../kinds.ts'
import { columnsListed, type Listed } from './listed.ts'
import type { TableName } from '../tables.ts'
import { filterOf, foundPage } from './filtered.ts'
import {
  allRows,
  bytesIn,
  columnsOf,
  countUpTo,
  inOrderAfter,
  limitOf,
  read,
  type List,
  type Order,
  type Origin,
  type Page,
  type Row,
  type Rows,
  type Sort,
} from './list.ts'
import { lastOf, nextToken, readToken, type ListRequest } from './page-token.ts'
import { totalsOf } from './totals.ts'

export type { Page } from './list.ts'

const byId: Sort = { id_ascending: { columns: ['id'], descending: false } }

const sortsBy = (...columns: string[]): Sort => ({
  name_ascending: { columns, descending: false },
  name_descending: { columns, descending: true },
  ...byId,
})

/** The kind whose rows a table has. */
const kindIn = (table: string): string => kindOfTable(table) ?? table

/** The orders of a table by its further columns. Rows with the same value are in the order of their ids. */
const ordersOf = (table: string): Sort =>
  Object.fromEntries(
    Object.entries(rulesOf(kindIn(table)).orders).flatMap(([name, { field, isNumber, isIndexed }]) => {
      const order = {
        columns: [field, 'id'],
        numbers: isNumber ? [field] : [],
        ...(isIndexed ? {} : { isSorted: true as const }),
      }
      return [
        [`${name}_ascending`, { ...order, descending: false }],
        [`${name}_descending`, { ...order, descending: true }],
      ]
    }),
  )

const mostTables = 1000

/** The orders of a table's lists by id. */
const byIdFirst = memoizeRecent(mostTables, (table): Sort => ({ ...byId, ...ordersOf(table) }))

/** The orders of a table's lists by name. */
const byName = memoizeRecent(mostTables, (table): Sort => ({ ...sortsBy('name'), ...ordersOf(table) }))

/** The same where names repeat. */
const byNameAndId = memoizeRecent(mostTables, (table): Sort => ({
  ...sortsBy('name', 'id'),
  ...ordersOf(table),
}))

/** The two orders of a column of numbers. */
const byNumber = (column: string): Sort => ({
  ascending: { columns: [column], descending: false, numbers: [column] },
  descending: { columns: [column], descending: true, numbers: [column] },
})

/** The orders of the audit log. */
const upBySeq: Order = { columns: ['seq'], descending: false, numbers: ['seq'] }

const bySeq: Sort = {
  time_and_id_ascending: upBySeq,
  time_and_id_descending: { ...upBySeq, descending: true },
}

/** Columns with texts of users. They once had no maximum, so old rows may have texts of any length. */
const userTexts: ReadonlySet<string> = new Set([
  'description',
  'displayName',
  'os',
  'version',
  'publicKey',
  'certPem',
  'dnsNamesJson',
  'transitIpsJson',
])

/** The rows of the list, and the table whose listed columns are selected in addition, or only some of them. */
type Source<T extends TableName, C extends keyof Listed<T>, More = unknown> = Origin<More> & {
  table: T
  columns?: readonly C[]
  /** The parent of the rows, if none is given: it makes searches fast. */
  holder?: string
  /** The kind, and where its rows are, of a list of several projects: they are found quickly as well. */
  within?: List<unknown>['within']
}

/** One page of a query whose rows have a unique `name` (and `id`). */
export const pageByName = <T extends TableName, More, C extends keyof Listed<T> = keyof Listed<T>>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, C, More>,
): Promise<Page<Pick<Listed<T>, C> & More>> => pageOf(request, query, listOf(source, byName(source.table)))

/** One page of a query whose rows have names that may repeat (and a unique `id`). */
export const pageByNameAndId = <T extends TableName, More>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>, More>,
): Promise<Page<Listed<T> & More>> => pageOf(request, query, listOf(source, byNameAndId(source.table)))

/** One page of a query by id, or by a column that the kind can be ordered by. */
export const pageById = <T extends TableName, More>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>, More>,
): Promise<Page<Listed<T> & More>> => pageOf(request, query, listOf(source, byIdFirst(source.table)))

/** One page of a query in the one order that it has: by a column that is unique in it. */
export const pageByColumn = <T extends TableName>(
  request: ListRequest,
  query: PageQuery,
  { column, ...source }: Source<T, keyof Listed<T>> & { column: keyof Listed<T> & string },
): Promise<Page<Listed<T>>> =>
  pageOf(request, query, listOf(source, { id_ascending: { columns: [column], descending: false } }))

const byVersion: Sort = {
  version_descending: { columns: ['versionKey'], descending: true },
  version_ascending: { columns: ['versionKey'], descending: false },
}

/** One page of repositories in the order of their versions, newest first unless the query says otherwise. */
export const pageByVersion = (request: ListRequest, query: PageQuery) =>
  pageOf<Listed<'systemUpdateRepository'>>(
    request,
    query,
    listOf(
      { table: 'systemUpdateRepository', rows: request.tx.selectFrom('systemUpdateRepository') },
      byVersion,
    ),
  )

const byTimeAndId = (time: string): Sort => ({
  time_and_id_ascending: { columns: [time, 'id'], descending: false, numbers: [time] },
  time_and_id_descending: { columns: [time, 'id'], descending: true, numbers: [time] },
})

/** One page of a query in the order of the times when its rows started, oldest first unless the query says otherwise. */
export const pageByStart = <T extends 'alert' | 'alertDelivery'>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>>,
): Promise<Page<Listed<T>>> => pageOf(request, query, listOf(source, byTimeAndId('timeStarted')))

/** The same by the times when its rows were made. */
export const pageByCreation = <T extends 'supportBundle'>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>>,
): Promise<Page<Listed<T>>> => pageOf(request, query, listOf(source, byTimeAndId('timeCreated')))

type Ordered = PageQuery & { order: 'ascending' | 'descending' }

/** One page of a query whose rows have a unique time `at`, oldest or newest first. */
export const pageByTime = <T extends { at: number }>(
  request: ListRequest,
  query: Ordered,
  rows: Rows<T>,
): Promise<Page<T>> => pageByNumber(request, query, { rows, column: 'at' })

/** One page of the tasks of a user, newest first. */
export const pageOfTasks = (
  request: ListRequest,
  query: PageQuery,
  rows: Rows<unknown>,
): Promise<Page<Listed<'task'>>> =>
  pageOf(request, { ...query, sortBy: 'descending' }, listOf({ rows, table: 'task' }, byNumber('at')))

/** One page of a query in the order of a column of numbers that are unique in it. */
export const pageByNumber = <T>(
  request: ListRequest,
  { order, ...query }: Ordered,
  { rows, column }: { rows: Rows<T>; column: keyof T & string },
): Promise<Page<T>> =>
  pageOf(
    request,
    { ...query, sortBy: order },
    {
      origin: { rows },
      // They are selected already.
      select: (selected) => selected as Rows<T>,
      sorts: byNumber(column),
      prefix: '',
      rowsPerRead: Infinity,
      whole: (_, row) => row,
    },
  )

/**
 * One page of entries of the audit log by their number in a table. `until` is the last number that was scanned, if
 * there are more: the page may then be short, and the next one continues from there.
 */
export async function pageBySeq<T extends { seq: number }>(
  request: ListRequest,
  query: PageQuery,
  { rows, table, until }: { rows: Rows<T>; table: 'auditEntry' | 'auditKey'; until: number | undefined },
): Promise<Page<T>> {
  const page = await pageOf(request, query, {
    origin: { rows },
    select: (selected) => selected as Rows<T>,
    sorts: bySeq,
    prefix: `${table}.`,
    rowsPerRead,
    whole: (_, row) => row,
  })
  const isShort = page.nextPage === null && until !== undefined
  return isShort ? { ...page, nextPage: nextToken(request, [until]) } : page
}

/** The number after which a page of such entries begins. Throws 400. */
export function seqBefore({ pageToken }: PageQuery): number | undefined {
  const [seq] = pageToken ? lastOf(pageToken, upBySeq) : []
  return seq === undefined ? undefined : Number(seq)
}

/**
 * One page of items that do not come from the database, in the order of their keys. It has no token of the previous
 * page.
 */
export function pageByKey<T>(
  request: ListRequest,
  query: PageQuery,
  list: { items: readonly T[]; keyOf: (item: T) => string },
): Page<T> {
  const limit = limitOf(query)
  const last = query.pageToken ? readToken(query.pageToken).last : ''
  const remaining = list.items.filter((item) => list.keyOf(item) > last)
  const items = remaining.slice(0, limit)
  const end = items.at(-1)
  const more = remaining.length > limit && end !== undefined
  const totals = query.total ? { totalItems: list.items.length, totals: {} } : {}
  return { items, nextPage: more ? nextToken(request, [list.keyOf(end)]) : null, ...totals }
}

async function pageOf<T>(request: ListRequest, query: PageQuery, list: List<T>): Promise<Page<T>> {
  const mode = query.sortBy ?? Object.keys(list.sorts)[0] ?? ''
  const sort = list.sorts[mode]
  if (!sort) throw fault.badQuery(`unknown variant \`${mode}\``)
  await checkOrder(request, list, { mode, sort })
  const kind = kindIn(list.table ?? '')
  const filter = filterOf(query, { kind, now: request.now })
  const totals = query.total ? await totalsOf(request, list, { kind, filter }) : undefined
  // Each query of an order without an index sorts all rows: it gives the ids of the whole page.
  const page =
    filter || sort.isSorted
      ? await foundPage(request, query, { list, sort, filter })
      : await pageInOrder(request, query, { list, sort, mode })
  if (!query.total || !query.pageToken || filter) return { ...page, ...totals }
  return { ...page, ...totals, previousPage: await pageBefore(request, query, { list, sort }) }
}

/** To order by a column without an index takes time with every row. Throws 400 for too many. */
async function checkOrder<T>(
  request: ListRequest,
  list: List<T>,
  { mode, sort }: { mode: string; sort: Order },
): Promise<void> {
  const { ordered } = limits.lists
  if (sort.isSorted && (await countUpTo(request, list, ordered + 1)) > ordered)
    throw fault.badOrder(mode, ordered)
}

/** The token of the page before, of as many rows; null if that is the first. */
async function pageBefore<T>(
  request: ListRequest,
  query: PageQuery,
  { list, sort }: { list: List<T>; sort: Order },
): Promise<string | null> {
  // The rows up to the one that the token names, backwards.
  const last = lastOf(query.pageToken ?? '', sort)
  const columns = sort.columns.map((name) => sql.ref<string>(`${list.prefix}${name}`).as(name))
  const rows = allRows(request.tx, list.origin)
  const backwards = { ...sort, descending: !sort.descending }
  const found = await inOrderAfter(rows.clearSelect().select(columns), list.prefix, {
    sort: backwards,
    last,
    count: limitOf(query),
  }).execute()
  const before = found.length < limitOf(query) ? undefined : found.at(-1)
  return before
    ? nextToken(
        request,
        sort.columns.map((name) => before[name] ?? ''),
      )
    : null
}

async function pageInOrder<T>(
  request: ListRequest,
  query: PageQuery,
  { list, sort, mode }: { list: List<T>; sort: Order; mode: string },
): Promise<Page<T>> {
  const limit = limitOf(query)
  const keyOf = (row: T) => sort.columns.map((key) => columnsOf(row)[key] ?? '')
  let last = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  const items: T[] = []
  for (let bytes = 0; ;) {
    const count = Math.min(list.rowsPerRead, limit + 1 - items.length)
    const found = await read(request.tx, list, { mode, sort, last, count })
    const names = Object.keys(found[0] ?? {})
    for (const row of found) {
      const made = list.whole(request, row)
      const item = made instanceof Promise ? await made : made
      bytes += bytesIn(columnsOf(item), names)
      const isFull = items.length === limit || bytes > limits.page.bytes
      if (isFull && last && items.length > 0) return { items, nextPage: nextToken(request, last) }
      items.push(item)
      last = keyOf(item)
    }
    if (found.length < count) return { items, nextPage: null }
  }
}

// A row with a long text from before the maximum takes a millisecond to read, whatever is selected.
const rowsPerRead = 64

/** A longer text of a user, in bytes, is read separately, so that a page of such texts is never in memory. */
const longText = 4096

function listOf<T extends TableName, C extends keyof Listed<T>, R>(
  source: Source<T, C>,
  sorts: Sort,
): List<R> {
  const { table } = source
  const names = (source.columns as readonly string[] | undefined) ?? columnsListed(table)
  const texts = names?.filter((name) => userTexts.has(name)) ?? []
  const select = (rows: Rows<unknown>) => {
    const selected = names?.map((name) => {
      const column = sql.ref(`${table}.${name}`)
      if (!userTexts.has(name)) return column.as(name)
      return sql`case when octet_length(${column}) > ${sql.lit(longText)} then null else ${column} end`.as(
        name,
      )
    })
    // The builder cannot know the columns of a table in a variable.
    const from = rows as Rows<Row>
    return (selected ? from.select(selected) : from.selectAll(table)) as object as Rows<R>
  }
  const whole = (request: ListRequest, row: R) =>
    texts.some((name) => columnsOf(row)[name] === null)
      ? (withTexts(request, { table, texts }, columnsOf(row)) as Promise<R>)
      : row
  const holder = 'parent' in source ? source.parent : source.holder
  const { within } = source
  return { origin: source, table, holder, within, select, sorts, prefix: `${table}.`, rowsPerRead, whole }
}

/** The row with its long texts. */
async function withTexts(
  { tx }: Pick<ListRequest, 'tx'>,
  { table, texts }: { table: TableName; texts: readonly string[] },
  row: Row,
): Promise<Row> {
  const found = await tx
    .selectFrom(table as 'disk')
    .select(texts as readonly ['description'])
    .where('id', '=', String(row['id']))
    .executeTakeFirstOrThrow()
  return { ...row, ...found }
}

/** Maps the rows of a page to views. */
export const mapPage = <T, V>({ items, ...page }: Page<T>, view: (row: T) => V): Page<V> => ({
  items: items.map(view),
  ...page,
})
