import type { ReactNode } from 'react'

/** One column of a table over rows of one type. */
export interface Column<Row> {
  id: string
  header: string
  /** It names the row to assistive technology, as the column `name` does where there is one. */
  isRowHeader?: boolean
  cell: (row: Row) => ReactNode
  /** Hidden unless a person chooses it. */
  isOptional?: boolean
  /** From 1 in tables that may be too wide: where there is no room, the columns with the highest numbers are hidden. */
  spare?: number
  /** Explained behind a '?' in the head. */
  tip?: ReactNode
  /** The order by this column, as the API calls it: it is offered where the list has it; the owner does the sorting. */
  order?: string
  /** Monospace: ids, addresses, sizes. */
  mono?: boolean
  align?: 'left' | 'right'
  /** A CSS width, for instance '12rem'. */
  width?: string
  /** A head above this one and its neighbours of the same group. */
  group?: string
}

/** The sort order of a table. */
export interface Sort {
  /** the order of a column */
  column: string
  descending: boolean
}

/** Which rows are chosen, by row key. 'single' draws radio buttons and lets the whole row be pressed. */
export interface Selection<Row> {
  mode: 'single' | 'multiple'
  selected: ReadonlySet<string>
  onChange: (selected: ReadonlySet<string>) => void
  /** The accessible name of a row's box. */
  labelOf: (row: Row) => string
  /** Why this row cannot be chosen. */
  disabledReason?: (row: Row) => string | undefined
}

/** The next sort when a head is pressed: up, then down, and up again. */
export const nextSort = (sort: Sort | undefined, column: string): Sort => ({
  column,
  descending: sort?.column === column && !sort.descending,
})

/** Neighbouring columns under one group, as spans of a head row. */
export const groupSpans = <Row>(
  columns: readonly Column<Row>[],
): { group: string | undefined; id: string; span: number }[] => {
  const spans: { group: string | undefined; id: string; span: number }[] = []
  for (const { group, id } of columns) {
    const last = spans.at(-1)
    if (last && group !== undefined && last.group === group) last.span += 1
    else spans.push({ group, id, span: 1 })
  }
  return spans
}

/**
 * The selection after a row was pressed with Shift: the rows between it and the one that was pressed before become as it
 * becomes. `keys` are those of the rows that can be chosen, in order.
 */
export function withRange(
  selected: ReadonlySet<string>,
  keys: readonly string[],
  { from, to }: { from: string | undefined; to: string },
): ReadonlySet<string> {
  const [start, end] = [keys.indexOf(from ?? to), keys.indexOf(to)]
  if (start < 0) return toggled(selected, to)
  const range = keys.slice(Math.min(start, end), Math.max(start, end) + 1)
  return selected.has(to)
    ? new Set([...selected].filter((key) => !range.includes(key)))
    : new Set([...selected, ...range])
}

/** The selection after one row was pressed. */
export const toggled = (selected: ReadonlySet<string>, key: string): ReadonlySet<string> => {
  const next = new Set(selected)
  if (!next.delete(key)) next.add(key)
  return next
}

/** The ids of the columns that can be hidden where there is no room, in the order in which they are; of equals, the last first. */
export const spareColumns = <Row>(columns: readonly Column<Row>[]): string[] =>
  columns
    .toReversed()
    .flatMap(({ id, spare = 0 }) => (spare > 0 ? [{ id, spare }] : []))
    .toSorted((a, b) => b.spare - a.spare)
    .map(({ id }) => id)
