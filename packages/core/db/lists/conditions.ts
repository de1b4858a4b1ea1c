/** Filters of a request for a list: the conditions on the columns of a row. */
import type { FilterColumn } from '@purlin/contract/kinds/kind'
import { isOneOf } from '@purlin/contract/rules/keys'
import { kindNames, kinds } from '@purlin/contract/rules/kinds'
import { columnsOf, type QueryColumn } from '@purlin/contract/rules/query/columns'
import { isTrouble, isWithin, readFilter, type Filter } from '@purlin/contract/rules/query/filter'
import type { Row } from './list.ts'
import { hasWord } from './search-text.ts'
import { tagConditions, type TagFilters } from './tag-filter.ts'

/** The filters of one column: one of the equal values, and every comparison and negation. */
export interface Conditions {
  field: string
  fits: (row: Row) => boolean
  /** The same by the text of a value. */
  hasValue: (value: string) => boolean
  /** The accepted values of tags, which an index knows. */
  tags?: TagFilters
}
/** By the name of their column. */
export type Filters = ReadonlyMap<string, Conditions>

/** The value of a row in a column with a filter. */
export function valueIn(row: Row, column: FilterColumn): string {
  const value = row[column.field]
  if ('isFlag' in column) return String(value !== null)
  return 'isKind' in column && isOneOf(kindNames, value) ? kinds[value].type : String(value)
}

const fieldOf = (column: QueryColumn): string =>
  column.type === 'choice' ? column.filter.field : column.field

const textIn = (row: Row, column: QueryColumn): string =>
  column.type === 'choice' ? valueIn(row, column.filter) : String(row[column.field] ?? '')

function holds(filter: Filter, value: string, now: number): boolean {
  const { type } = filter.column
  if (type === 'choice' || type === 'exact' || type === 'id') return value === filter.value
  // A row without the number or the time fits no comparison.
  if (type !== 'text' && value === '') return false
  return type === 'text' ? hasWord(value, filter.text) : isWithin(filter, Number(value), now)
}

function conditionsOf(column: QueryColumn, filters: readonly Filter[], now: number): Conditions {
  if (column.type === 'pair') return tagConditions(column.field, filters)
  const equal = filters.filter(({ isNot, by }) => !isNot && !by)
  const others = filters.filter((filter) => !equal.includes(filter))
  const hasValue = (value: string) =>
    (equal.length === 0 || equal.some((filter) => holds(filter, value, now))) &&
    others.every((filter) => holds(filter, value, now) !== filter.isNot)
  return { field: fieldOf(column), fits: (row) => hasValue(textIn(row, column)), hasValue }
}

/** The conditions of the parameter `filter`, which was checked when it was read. */
export function filtersFrom(kind: string, texts: readonly string[], now: number): Filters {
  const columns = columnsOf(kind)
  const read = texts.map((text) => readFilter(columns, text)).filter((one): one is Filter => !isTrouble(one))
  const byName = Map.groupBy(read, ({ name }) => name)
  return new Map([...byName].map(([name, filters]) => [name, conditionsOf(filters[0]!.column, filters, now)]))
}
