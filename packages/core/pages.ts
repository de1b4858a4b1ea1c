/** Keyset pagination, once: a page of rows, and the token that continues it. */
import type { PageQuery } from '@purlin/contract/schemas/page'
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { bare } from '@purlin/contract/schema'
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import type { Ctx, URLSearchParamsLike } from './context.ts'
import type { Tables } from './db/tables.ts'
import { fault } from './faults.ts'

/** What a token holds: every parameter of the first request, and the last key seen. */
interface Token {
  v: 'v1'
  page_start: { query: Record<string, string>; last: string }
}

const decodeText = (data: Uint8Array) =>
  decodeURIComponent(data.reduce((sum, byte) => `${sum}%${byte.toString(16).padStart(2, '0')}`, ''))
const encodeText = (text: string) =>
  Uint8Array.from(
    encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
      String.fromCharCode(Number.parseInt(hex, 16)),
    ),
    (c) => c.charCodeAt(0),
  )

function writeToken(token: Token): string {
  return toBase64(encodeText(JSON.stringify(token)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

function readToken(text: string): Token['page_start'] {
  if (text.length > limits.page.token) throw fault.badToken('too large')
  let token: Partial<Token>
  try {
    token = JSON.parse(
      decodeText(fromBase64(text.replaceAll('-', '+').replaceAll('_', '/'))),
    ) as Partial<Token>
  } catch {
    throw fault.badToken('corrupted token')
  }
  if (typeof token !== 'object' || token === null) throw fault.badToken('corrupted token')
  if (token.v !== 'v1') throw fault.badToken('unsupported version')
  const start: unknown = token.page_start
  if (!isStart(start)) throw fault.badToken('corrupted token')
  return start
}

function isStart(value: unknown): value is Token['page_start'] {
  if (typeof value !== 'object' || value === null) return false
  const { query, last } = value as Record<string, unknown>
  // A NUL is text to JSON, but not to every engine.
  if (typeof last !== 'string' || last.includes('\0') || typeof query !== 'object' || query === null)
    return false
  return Object.values(query).every((item) => typeof item === 'string')
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

/** The rows to page through. In a join, `table` is the one whose name and id count. */
type Source<T> = Rows<T> | { rows: Rows<T>; table: string }
const sourceOf = <T>(source: Source<T>, sorts: Sort) =>
  'table' in source
    ? { rows: source.rows, sorts, prefix: `${source.table}.` }
    : { rows: source, sorts, prefix: '' }

/** One page of a query whose rows have a unique `name` (and `id`). */
export const pageByName = <T extends { id: string; name: string }>(
  ctx: Ctx,
  query: PageQuery,
  source: Source<T>,
): Promise<Page<T>> => pageOf(ctx, query, sourceOf(source, byName))

/** One page of a query whose rows have names that may repeat (and a unique `id`). */
export const pageByNameAndId = <T extends { id: string; name: string }>(
  ctx: Ctx,
  query: PageQuery,
  source: Source<T>,
): Promise<Page<T>> => pageOf(ctx, query, sourceOf(source, byNameAndId))

/** One page of a query by id. */
export const pageById = <T extends { id: string }>(
  ctx: Ctx,
  query: PageQuery,
  source: Source<T>,
): Promise<Page<T>> => pageOf(ctx, query, sourceOf(source, byId))

/** One page of a query whose rows have a unique time `at`, oldest or newest first. */
export const pageByTime = <T extends { at: number }>(
  ctx: Ctx,
  { order, ...query }: PageQuery & { order: 'ascending' | 'descending' },
  source: Source<T>,
): Promise<Page<T>> => pageOf(ctx, { ...query, sortBy: order }, sourceOf(source, byTime))

/** One page of what does not come from the database, in the order of its keys. */
export function pageByKey<T>(
  ctx: Ctx,
  query: PageQuery,
  list: { items: readonly T[]; keyOf: (item: T) => string },
): Page<T> {
  const limit = limitOf(query)
  const last = query.pageToken ? readToken(query.pageToken).last : ''
  const rest = list.items.filter((item) => list.keyOf(item) > last)
  const items = rest.slice(0, limit)
  const end = items.at(-1)
  const more = rest.length > limit && end !== undefined
  return { items, nextPage: more ? nextToken(ctx, list.keyOf(end)) : null }
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

async function pageOf<T>(
  ctx: Ctx,
  query: PageQuery,
  list: { rows: Rows<T>; sorts: Sort; prefix: string },
): Promise<Page<T>> {
  const limit = limitOf(query)
  const mode = query.sortBy ?? Object.keys(list.sorts)[0] ?? ''
  const sort = list.sorts[mode]
  if (!sort) throw fault.badQuery(`unknown variant \`${mode}\``)
  const columns = sort.columns.map((column) => sql.ref(`${list.prefix}${column}`))
  let rows = list.rows
  if (query.pageToken) {
    const last = lastOf(query.pageToken, sort).map((value) => sql.val(value))
    const beyond = sql.raw(sort.descending ? '<' : '>')
    rows = rows.where(sql<SqlBool>`(${sql.join(columns)}) ${beyond} (${sql.join(last)})`)
  }
  for (const column of columns) rows = rows.orderBy(column, sort.descending ? 'desc' : 'asc')
  const found = await rows.limit(limit + 1).execute()
  const items = found.slice(0, limit)
  const last = items.at(-1) as Record<string, string | number> | undefined
  const more = found.length > limit && last !== undefined
  return { items, nextPage: more ? nextToken(ctx, sort.columns.map((key) => last[key]).join(gap)) : null }
}

function nextToken(ctx: Ctx, last: string): string {
  // Only what the list knows: a token must not grow with what it ignores.
  const keys = wireKeys(ctx.op).filter((key) => !ownOfPage.has(key) && ctx.search.has(key))
  const query = Object.fromEntries(keys.map((key) => [key, ctx.search.getAll(key)[0] ?? '']))
  return writeToken({ v: 'v1', page_start: { query, last } })
}

/** Turns the rows of a page into views. */
export const mapPage = <T, V>(page: Page<T>, view: (row: T) => V): Page<V> => ({
  items: page.items.map(view),
  nextPage: page.nextPage,
})
