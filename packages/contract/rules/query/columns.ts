/** The columns that rows of a list can be restricted by, from the tables of the kinds. */
import type { FilterColumn, OrderColumn } from '#/kinds/kind.ts'
import { hasNames, kindNames } from '../kinds.ts'
import { isOneOf } from '../keys.ts'
import { hasTags, rulesOf } from '../lists.ts'

export type QueryColumn =
  /** One of few values. */
  | { readonly type: 'choice'; readonly filter: FilterColumn }
  /** Pairs of a key and a value, written `key=value`. */
  | { readonly type: 'pair'; readonly field: string }
  | { readonly type: 'number'; readonly field: string; readonly unit?: OrderColumn['unit'] }
  | { readonly type: 'time'; readonly field: string }
  /** Words that a text has. */
  | { readonly type: 'text'; readonly field: string }

export type Columns = ReadonlyMap<string, QueryColumn>

/** The order `time_created` is the column `created`. */
const wordOf = (order: string): string => order.replace(/^time_/, '')

function orderColumns(name: string, { field, isNumber, isTime, unit }: OrderColumn): [string, QueryColumn][] {
  if (isTime) return [[wordOf(name), { type: 'time', field }]]
  return isNumber ? [[wordOf(name), { type: 'number', field, ...(unit ? { unit } : {}) }]] : []
}

function build(kind: string): Columns {
  const { filters, orders } = rulesOf(kind)
  const name: [string, QueryColumn][] =
    isOneOf(kindNames, kind) && hasNames(kind) ? [['name', { type: 'text', field: 'name' }]] : []
  const tag: [string, QueryColumn][] = hasTags(kind) ? [['tag', { type: 'pair', field: 'tagsJson' }]] : []
  return new Map([
    ...Object.entries(filters).map(([word, filter]): [string, QueryColumn] => [
      word,
      { type: 'choice', filter },
    ]),
    ...Object.entries(orders).flatMap(([order, column]) => orderColumns(order, column)),
    ...name,
    ...tag,
  ])
}

const built = new Map<string, Columns>()

/** The columns of a kind's list; none for anything else. */
export function columnsOf(kind: string): Columns {
  const known = built.get(kind)
  if (known) return known
  const columns = build(kind)
  if (isOneOf(kindNames, kind)) built.set(kind, columns)
  return columns
}
