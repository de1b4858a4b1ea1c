/** Keyset pagination, once: a page of rows, and the token that continues it. */
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { bare } from '@purlin/contract/schema'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { listed, userTexts, type Listed, type ListedTable } from './listed.ts'
import type { Tables, Tx } from './tables.ts'
import { fault } from '#/faults.ts'
import { readToken, writeToken } from './page-token.ts'
import { prepared } from './prepared.ts'

/** The part of URLSearchParams that core reads. */
export interface URLSearchParamsLike {
  getAll(name: string): string[]
  has(name: string): boolean
}
/** What a list needs of a request: its token remembers some of it. */
interface ListRequest {
  tx: Tx
  op: OpShape
  search: URLSearchParamsLike
}

/** What every page of a list says for itself. */
const ownOfPage = new Set(['limit', 'page_token'])

function wireKeys({ query }: OpShape): string[] {
  const node = query && bare(query.node)
  return node?.kind === 'object' ? node.fields.map((field) => field.wire) : []
}

/**
 * The query as it counts: in a list with a page token, every parameter but `limit` comes from the
 * token, whatever else was sent. Throws 400.
 */
export function effectiveSearch(op: OpShape, search: URLSearchParamsLike): URLSearchParamsLike {
  if (!wireKeys(op).includes('page_token')) return search
  const [token] = search.getAll('page_token')
  if (token === undefined || token === '') return search
  const { query } = readToken(token)
  return {
    getAll: (name) =>
      ownOfPage.has(name) ? search.getAll(name) : query[name] === undefined ? [] : [query[name]],
    has: (name) => (ownOfPage.has(name) ? search.has(name) : query[name] !== undefined),
  }
}

export interface Page<T> {
  items: T[]
  nextPage: string | null
}

/** How a list pages: sort mode → the columns that order it, together unique, and direction. The first is the default. */
type Sort = Record<string, { columns: readonly string[]; descending: boolean; isNumber?: true }>
const byId: Sort = { id_ascending: { columns: ['id'], descending: false } }
const sortsBy = (...columns: string[]): Sort => ({
  name_ascending: { columns, descending: false },
  name_descending: { columns, descending: true },
  ...byId,
})
const byName = sortsBy('name')
const byNameAndId = sortsBy('name', 'id')
const byTime: Sort = {
  ascending: { columns: ['at'], descending: false, isNumber: true },
  descending: { columns: ['at'], descending: true, isNumber: true },
}

type Rows<T> = SelectQueryBuilder<Tables, keyof Tables, T>

/** Rows by the id of what they are in. The queries of such a function are built once for each order. */
type RowsIn<T> = (tx: Tx, parent: string) => Rows<T>
type Origin<T> = { rows: Rows<T> } | { rowsIn: RowsIn<T>; parent: string }

/** The rows to page through, and the table whose listed columns are selected beside what already is, or just some. */
type Source<T extends ListedTable, C extends keyof Listed<T>, More = unknown> = Origin<More> & {
  table: T
  columns?: readonly C[]
}

/** One page of a query whose rows have a unique `name` (and `id`). */
export const pageByName = <T extends ListedTable, More, C extends keyof Listed<T> = keyof Listed<T>>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, C, More>,
): Promise<Page<Pick<Listed<T>, C> & More>> => pageOf(request, query, listOf(source, byName))

/** One page of a query whose rows have names that may repeat (and a unique `id`). */
export const pageByNameAndId = <T extends ListedTable>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>>,
): Promise<Page<Listed<T>>> => pageOf(request, query, listOf(source, byNameAndId))

/** One page of a query by id. */
export const pageById = <T extends ListedTable, More>(
  request: ListRequest,
  query: PageQuery,
  source: Source<T, keyof Listed<T>, More>,
): Promise<Page<Listed<T> & More>> => pageOf(request, query, listOf(source, byId))

/** One page of a query in the one order that it has: by a column that is unique in it. */
export const pageByColumn = <T extends ListedTable>(
  request: ListRequest,
  query: PageQuery,
  { column, ...source }: Source<T, keyof Listed<T>> & { column: keyof Listed<T> & string },
): Promise<Page<Listed<T>>> =>
  pageOf(request, query, listOf(source, { id_ascending: { columns: [column], descending: false } }))

/** One page of a query whose rows have a unique time `at`, oldest or newest first. */
export const pageByTime = <T extends { at: number }>(
  request: ListRequest,
  { order, ...query }: PageQuery & { order: 'ascending' | 'descending' },
  rows: Rows<T>,
): Promise<Page<T>> =>
  pageOf(
    request,
    { ...query, sortBy: order },
    {
      origin: { rows },
      // They are selected already.
      select: (selected) => selected as Rows<T>,
      sorts: byTime,
      prefix: '',
      rowsPerRead: Infinity,
      whole: (_, row) => row,
    },
  )

const upBySeq: Sort[string] = { columns: ['seq'], descending: false, isNumber: true }
const bySeq: Sort = {
  time_and_id_ascending: upBySeq,
  time_and_id_descending: { ...upBySeq, descending: true },
}

/**
 * One page of entries of the audit log by their number in a table. `until` is the last number that was looked at, if there are
 * more beyond it: the page may then be short, and the next one goes on from there.
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
  return isShort ? { ...page, nextPage: nextToken(request, String(until)) } : page
}

/** The number after which a page of such entries begins. Throws 400. */
export function seqBefore({ pageToken }: PageQuery): number | undefined {
  const [seq] = pageToken ? lastOf(pageToken, upBySeq) : []
  return seq === undefined ? undefined : Number(seq)
}

/** One page of what does not come from the database, in the order of its keys. */
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
  return { items, nextPage: more ? nextToken(request, list.keyOf(end)) : null }
}

const limitOf = ({ limit }: PageQuery): number => Math.min(limit ?? limits.page.default, limits.page.max)

// Between the values of several columns: neither names nor ids hold one.
const gap = ' '

/** Where the page before ended: the values of the columns that order the list. */
function lastOf(token: string, { columns, isNumber }: Sort[string]): (string | number)[] {
  const { last } = readToken(token)
  const values = columns.length === 1 ? [last] : last.split(gap)
  if (values.length !== columns.length) throw fault.badToken('corrupted token')
  if (!isNumber) return values
  const numbers = values.map(Number)
  if (!numbers.every(Number.isSafeInteger)) throw fault.badToken('corrupted token')
  return numbers
}

/** What `pageOf` reads: so many rows at a time, of each of which `whole` gives all that is shown. */
interface List<T> {
  origin: Origin<unknown>
  select: (rows: Rows<unknown>) => Rows<T>
  sorts: Sort
  prefix: string
  rowsPerRead: number
  whole: (request: ListRequest, row: T) => T | Promise<T>
}

async function pageOf<T>(request: ListRequest, query: PageQuery, list: List<T>): Promise<Page<T>> {
  const limit = limitOf(query)
  const mode = query.sortBy ?? Object.keys(list.sorts)[0] ?? ''
  const sort = list.sorts[mode]
  if (!sort) throw fault.badQuery(`unknown variant \`${mode}\``)
  const keyOf = (row: T) => sort.columns.map((key) => (row as Row)[key] ?? '')
  let last = query.pageToken ? lastOf(query.pageToken, sort) : undefined
  const items: T[] = []
  for (let bytes = 0; ;) {
    const count = Math.min(list.rowsPerRead, limit + 1 - items.length)
    const found = await read(request.tx, list, { mode, sort, last, count })
    const names = Object.keys(found[0] ?? {})
    for (const row of found) {
      const made = list.whole(request, row)
      const item = made instanceof Promise ? await made : made
      bytes += bytesIn(item as Row, names)
      const isFull = items.length === limit || bytes > limits.page.bytes
      if (isFull && last && items.length > 0) return { items, nextPage: nextToken(request, last.join(gap)) }
      items.push(item)
      last = keyOf(item)
    }
    if (found.length < count) return { items, nextPage: null }
  }
}

type Keys = readonly (string | number)[]
interface Part {
  mode: string
  sort: Sort[string]
  /** The values after which it begins. */
  last: Keys | undefined
  count: number
}
type Values = { parent: string } & Record<`last${number}`, string | number>
type Read = (tx: Tx, values: Values) => Promise<unknown[]>

// By what differs in their text. Limits are part of it, and clients choose them.
const reads = new WeakMap<RowsIn<unknown>, Map<string, Read>>()
const mostReads = 16

function read<T>(tx: Tx, list: List<T>, part: Part): Promise<T[]> {
  const { origin } = list
  if ('rows' in origin) return rowsAfter(list, origin.rows, part).execute()
  const { rowsIn, parent } = origin
  const known = reads.get(rowsIn) ?? new Map<string, Read>()
  reads.set(rowsIn, known)
  const { mode, last = [], count } = part
  const shape = `${mode} ${last.length} ${count}`
  const found =
    known.get(shape) ??
    prepared<Values, unknown>((on, value) => {
      const keys = last.map((_, i) => value(`last${i}`))
      return rowsAfter(list, rowsIn(on, value('parent')), { ...part, last: part.last && keys })
    })
  if (known.size >= mostReads) known.clear()
  known.set(shape, found)
  const values: Values = { parent }
  for (const [i, key] of last.entries()) values[`last${i}`] = key
  return found(tx, values) as Promise<T[]>
}

function rowsAfter<T>(list: List<T>, from: Rows<unknown>, { sort, last, count }: Part): Rows<T> {
  const columns = sort.columns.map((column) => sql.ref(`${list.prefix}${column}`))
  const beyond = sql.raw(sort.descending ? '<' : '>')
  let some = list.select(from)
  if (last) {
    const values = last.map((value) => sql.val(value))
    some = some.where(sql<SqlBool>`(${sql.join(columns)}) ${beyond} (${sql.join(values)})`)
  }
  for (const column of columns) some = some.orderBy(column, sort.descending ? 'desc' : 'asc')
  return some.limit(count)
}

// A row that holds a long text from before there was a maximum takes a millisecond to read, whatever is selected.
const rowsPerRead = 64

/** A longer text of a user, in bytes, is read by itself, so that a page of them is not in memory at once. */
const longText = 4096

type Row = Record<string, string | number | null>

function listOf<T extends ListedTable, C extends keyof Listed<T>, R>(
  source: Source<T, C>,
  sorts: Sort,
): List<R> {
  const { table, columns = listed[table] as readonly string[] as readonly C[] } = source
  const names = columns as readonly string[]
  const texts = names.filter((name) => userTexts.has(name))
  const select = (rows: Rows<unknown>) => {
    const selected = names.map((name) => {
      const column = sql.ref(`${table}.${name}`)
      if (!userTexts.has(name)) return column.as(name)
      return sql`case when octet_length(${column}) > ${sql.lit(longText)} then null else ${column} end`.as(
        name,
      )
    })
    // The builder cannot know the columns of a table in a variable.
    return (rows as Rows<Row>).select(selected) as object as Rows<R>
  }
  const whole = (request: ListRequest, row: R) =>
    texts.some((name) => (row as Row)[name] === null)
      ? (withTexts(request, { table, texts }, row as Row) as Promise<R>)
      : row
  return { origin: source, select, sorts, prefix: `${table}.`, rowsPerRead, whole }
}

/** The row with its long texts. */
async function withTexts(
  { tx }: Pick<ListRequest, 'tx'>,
  { table, texts }: { table: ListedTable; texts: readonly string[] },
  row: Row,
): Promise<Row> {
  const found = await tx
    .selectFrom(table as 'disk')
    .select(texts as readonly ['description'])
    .where('id', '=', String(row['id']))
    .executeTakeFirstOrThrow()
  return { ...row, ...found }
}

function bytesIn(row: Row, names: readonly string[]): number {
  let sum = 0
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'string') sum += value.length
  }
  return sum
}

function nextToken(request: ListRequest, last: string): string {
  // Only what the list knows: a token must not grow with what it ignores.
  const keys = wireKeys(request.op).filter((key) => !ownOfPage.has(key) && request.search.has(key))
  const query = Object.fromEntries(keys.map((key) => [key, request.search.getAll(key)[0] ?? '']))
  return writeToken({ v: 'v1', page_start: { query, last } })
}

/** Turns the rows of a page into views. */
export const mapPage = <T, V>(page: Page<T>, view: (row: T) => V): Page<V> => ({
  items: page.items.map(view),
  nextPage: page.nextPage,
})
