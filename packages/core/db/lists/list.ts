/** Lists: what defines one, and the query of a part of its rows. */
import type { PageQuery } from '@purlin/contract/schemas/page'
import { limits } from '@purlin/contract/rules/limits'
import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import type { TableName, Tables, Tx } from '../tables.ts'
import type { Keys, ListRequest } from './page-token.ts'
import { prepared } from '../prepared.ts'
import type { IndexedKind, Scopes } from './search-index.ts'

/** The number of matching rows, and the number for each value of each column with a filter. */
export interface Totals {
  totalItems?: number
  totals: Record<string, Record<string, number>>
}
export interface Page<T> extends Partial<Totals> {
  items: T[]
  nextPage: string | null
  /** Null before the second page. */
  previousPage?: string | null
}

/** How a list pages: sort mode → the columns that order it, together unique, and direction. The first is the default. */
export type Sort = Record<string, Order>
export interface Order {
  columns: readonly string[]
  descending: boolean
  /** The numeric columns. */
  numbers?: readonly string[]
  /** No index has this order. */
  isSorted?: true
}
export type Rows<T> = SelectQueryBuilder<Tables, keyof Tables, T>

/** Rows by the id of their parent. The queries of such a function are built once for each order. */
type RowsIn<T> = (tx: Tx, parent: string) => Rows<T>
export type Origin<T> = { rows: Rows<T> } | { rowsIn: RowsIn<T>; parent: string }

/** All rows of a list. */
export const allRows = <T>(tx: Tx, origin: Origin<T>): Rows<T> =>
  'rows' in origin ? origin.rows : origin.rowsIn(tx, origin.parent)

export const limitOf = ({ limit }: PageQuery): number =>
  Math.min(limit ?? limits.page.default, limits.page.max)

export type Row = Record<string, string | number | null>
/** A row whose columns have names in variables. */
export const columnsOf = (row: unknown) => row as Row

/** The input of `pageOf`: it reads this many rows at a time, and `whole` makes the response of each. */
export interface List<T> {
  /** Undefined for rows that have no words to be found by. */
  table?: TableName
  /** The parent of all rows, if it is known. */
  holder?: string | undefined
  /** The kind of the rows and all places that they are in, if they are in several. */
  within?: { kind: IndexedKind; scopes: Scopes } | undefined
  origin: Origin<unknown>
  select: (rows: Rows<unknown>) => Rows<T>
  sorts: Sort
  prefix: string
  rowsPerRead: number
  whole: (request: ListRequest, row: T) => T | Promise<T>
}

interface Part {
  mode: string
  sort: Order
  /** The values after which it begins. */
  last: Keys | undefined
  count: number
}
type Values = { parent: string } & Record<`last${number}`, string | number>

const readIn = memoizeByObject((rowsIn: RowsIn<unknown>) =>
  prepared<Values, unknown, [List<unknown>, Part]>(
    (tx, value, [list, part]) => {
      const keys = part.last?.map((_, i) => value(`last${i}`))
      return rowsAfter(list, rowsIn(tx, value('parent')), { ...part, last: keys })
    },
    ([, { mode, last = [], count }]) => `${mode} ${last.length} ${count}`,
  ),
)

/** Reads a part of the rows of a list. */
export function read<T>(tx: Tx, list: List<T>, part: Part): Promise<T[]> {
  const { origin } = list
  if ('rows' in origin) return rowsAfter(list, origin.rows, part).execute()
  const values: Values = { parent: origin.parent }
  for (const [i, key] of (part.last ?? []).entries()) values[`last${i}`] = key
  return readIn(origin.rowsIn)(tx, values, list as List<unknown>, part) as Promise<T[]>
}

const rowsAfter = <T>(list: List<T>, from: Rows<unknown>, part: Part): Rows<T> =>
  inOrderAfter(list.select(from), list.prefix, part)

/** This many rows of a query in an order, after the one with the given values. */
export function inOrderAfter<T>(
  rows: Rows<T>,
  prefix: string,
  { sort, last, count }: Omit<Part, 'mode'>,
): Rows<T> {
  const columns = sort.columns.map((column) => sql.ref(`${prefix}${column}`))
  const beyond = sql.raw(sort.descending ? '<' : '>')
  let some = rows
  if (last) {
    const values = last.map((value) => sql.val(value))
    some = some.where(sql<SqlBool>`(${sql.join(columns)}) ${beyond} (${sql.join(values)})`)
  }
  for (const column of columns) some = some.orderBy(column, sort.descending ? 'desc' : 'asc')
  return some.limit(count)
}

export function bytesIn(row: Row, names: readonly string[]): number {
  let sum = 0
  for (const name of names) {
    const value = row[name]
    if (typeof value === 'string') sum += value.length
  }
  return sum
}

/** The number of rows of a list, counted up to `most`. */
export async function countUpTo<T>({ tx }: ListRequest, list: List<T>, most: number): Promise<number> {
  const some = allRows(tx, list.origin).clearSelect().select(sql.lit(1).as('one')).limit(most)
  const { count } = await tx
    .selectFrom(some.as('some'))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}
