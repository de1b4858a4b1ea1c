/** The token that continues a list: opaque text to clients. It repeats the parameters of the first request. */
import type { URLSearchParamsLike } from '#/query-string.ts'
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { settledFilter } from '@purlin/contract/rules/query/filter'
import { bare } from '@purlin/contract/schema'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { fromBase64, toBase64 } from '@purlin/contract/wire'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { fault } from '#/faults.ts'
import type { Engine } from '../engine.ts'
import type { Tx } from '../tables.ts'

/** The content of a token: every parameter of the first request, and the last key. */
interface Token {
  v: 'v1'
  page_start: { query: Record<string, string | string[]>; last: string }
}

function decodeText(data: Uint8Array): string {
  // Texts of our own nearly always are; the token is short.
  if (data.every((byte) => byte < 0x80)) return String.fromCharCode(...data)
  return decodeURIComponent(data.reduce((sum, byte) => `${sum}%${byte.toString(16).padStart(2, '0')}`, ''))
}
// Names and ids are ASCII, which encodes to itself.
const asBytes = (text: string): string =>
  /[^\0-\x7f]/.test(text)
    ? encodeURIComponent(text).replace(/%([0-9A-F]{2})/g, (_, hex: string) =>
        String.fromCharCode(Number.parseInt(hex, 16)),
      )
    : text

function encodeText(text: string): Uint8Array {
  const bytes = asBytes(text)
  const data = new Uint8Array(bytes.length)
  for (let i = 0; i < bytes.length; i++) data[i] = bytes.charCodeAt(i)
  return data
}

/** The text of a token. */
function writeToken(token: Token): string {
  return toBase64(encodeText(JSON.stringify(token)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
}

/** A request reads its token twice: for its parameters and for its position. */
export const readToken = memoizeRecent(64, parseToken)

function parseToken(text: string): Token['page_start'] {
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
  const isText = (item: unknown) => typeof item === 'string'
  return Object.values(query).every((item) => (Array.isArray(item) ? item.every(isText) : isText(item)))
}

/** The request of a list, part of which its token repeats. */
export interface ListRequest {
  tx: Tx
  world: { engine: Pick<Engine, 'name'> }
  op: OpShape
  search: URLSearchParamsLike
  /** ms since 1970, one value for the whole request */
  now: number
}

/** The parameters that each page has for itself. */
const ownOfPage = new Set(['limit', 'page_token', 'total'])

/** The parameters of an operation. */
export function wireKeys({ query }: OpShape): string[] {
  const node = query && bare(query.node)
  return node?.kind === 'object' ? node.fields.map((field) => field.wire) : []
}

/**
 * The effective query. With a page token, every parameter but `limit` comes from the token, and the others are
 * ignored. Throws 400.
 */
export function effectiveSearch(op: OpShape, search: URLSearchParamsLike): URLSearchParamsLike {
  if (!wireKeys(op).includes('page_token')) return search
  const [token] = search.getAll('page_token')
  if (token === undefined || token === '') return search
  const { query } = readToken(token)
  return {
    getAll: (name) => (ownOfPage.has(name) ? search.getAll(name) : [query[name] ?? []].flat()),
    has: (name) => (ownOfPage.has(name) ? search.has(name) : query[name] !== undefined),
  }
}

/** The values of the columns that order a list, in one row. */
export type Keys = readonly (string | number)[]
/** The columns that order a list, and the numeric ones among them. */
interface OrderColumns {
  columns: readonly string[]
  numbers?: readonly string[]
}

// Separates the values of several columns. Neither names nor ids contain it.
const gap = ' '

/** Where the page before ended: the values of the columns that order the list. */
export function lastOf(token: string, { columns, numbers = [] }: OrderColumns): Keys {
  const { last } = readToken(token)
  const texts = columns.length === 1 ? [last] : last.split(gap)
  if (texts.length !== columns.length) throw fault.badToken('corrupted token')
  const values = texts.map((text, i) => (numbers.includes(columns[i] ?? '') ? Number(text) : text))
  if (values.some((value) => typeof value === 'number' && !Number.isSafeInteger(value)))
    throw fault.badToken('corrupted token')
  return values
}

/** The token of the page after the row with these values. */
export function nextToken(request: ListRequest, last: Keys): string {
  // Only known parameters: the token must not grow with others.
  const keys = wireKeys(request.op).filter((key) => !ownOfPage.has(key) && request.search.has(key))
  const query = Object.fromEntries(keys.map((key) => [key, asOne(settled(request, key))]))
  return writeToken({ v: 'v1', page_start: { query, last: last.join(gap) } })
}

/** The values of a parameter. Ages become times, so that all pages mean the same moment. */
function settled({ op, search, now }: ListRequest, key: string): string[] {
  const values = search.getAll(key)
  const kind = key === 'filter' ? filteredKindOf(op) : undefined
  if (kind === undefined) return values
  const columns = columnsOf(kind)
  return values.map((value) => settledFilter(columns, value, now))
}

const asOne = (values: string[]): string | string[] => (values.length > 1 ? values : (values[0] ?? ''))
