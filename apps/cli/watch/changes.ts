/** The differences between two answers of a list or a view. */
import { isDeepStrictEqual } from 'node:util'
import { plainText } from '../output/json.ts'

type Row = Readonly<Record<string, unknown>>
export type Change =
  | { change: 'created' | 'deleted'; item: Row }
  /** `before` has the former values of the fields that differ. */
  | { change: 'updated'; item: Row; before: Row }

/** The rows of an answer: of a list its items, otherwise the resource itself. */
function rowsOf(value: unknown): readonly Row[] {
  if (value === undefined) return []
  if (Array.isArray(value)) return value as Row[]
  const { items } = value as { items?: Row[] }
  return items ?? [value as Row]
}

const keyOf = (row: Row, index: number): string => plainText(row['id'] ?? row['name'] ?? index)

/** The rows that were created, updated and deleted, those of the new answer first. */
export function changesBetween(before: unknown, after: unknown): Change[] {
  const old = new Map(rowsOf(before).map((row, i) => [keyOf(row, i), row]))
  const changes: Change[] = []
  for (const [i, item] of rowsOf(after).entries()) {
    const key = keyOf(item, i)
    const former = old.get(key)
    old.delete(key)
    if (!former) changes.push({ change: 'created', item })
    else if (!isDeepStrictEqual(former, item))
      changes.push({ change: 'updated', item, before: differing(former, item) })
  }
  return [...changes, ...[...old.values()].map((item) => ({ change: 'deleted' as const, item }))]
}

const differing = (former: Row, item: Row): Row =>
  Object.fromEntries(Object.entries(former).filter(([key, value]) => !isDeepStrictEqual(value, item[key])))
