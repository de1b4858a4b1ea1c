/** How many rows of a list match a filter, and how many of them have each value of a column. */
import type { FilterColumn } from '@purlin/contract/kinds/kind'
import { limits } from '@purlin/contract/rules/limits'
import { rulesOf } from '@purlin/contract/rules/lists'
import { sql } from 'kysely'
import { valueIn } from './conditions.ts'
import { matchingRows, type RowFilter } from './filtered.ts'
import { allRows, countUpTo, type List, type Row, type Rows, type Totals } from './list.ts'
import type { ListRequest } from './page-token.ts'

/** The totals of the matching rows. Empty if there are too many rows to count or to scan. */
export async function totalsOf<T>(
  request: ListRequest,
  list: List<T>,
  { kind, filter }: { kind: string; filter: RowFilter | undefined },
): Promise<Totals> {
  const columns = rulesOf(kind).filters
  const known = await tallied(request, list, kind)
  // The stored count saves counting the rows again.
  if (known !== undefined && known > limits.lists.counted)
    return { ...(filter ? {} : { totalItems: known }), totals: {} }
  const ofRows = filter && rowsOnly(filter, columns)
  const groups = ofRows
    ? await groupsFound(request, list, { columns, filter: ofRows })
    : await groupsOf(request, list, columns)
  if (!groups) return { totals: {} }
  const has = (group: Group, but?: string) =>
    [...(filter?.filters ?? [])].every(
      ([name, { hasValue }]) => name === but || !(name in columns) || hasValue(group.values[name] ?? ''),
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

/** The stored count of the rows of a kind in their holder, if there is one. */
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

type Columns = Readonly<Record<string, FilterColumn>>

/** All rows grouped by their values, counted by the database. */
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
  const picked = Object.entries(columns).map(([name, column]) => {
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
  const groups = rows.map((row) => ({
    values: Object.fromEntries(names.map((name) => [name, String(row[name])])),
    count: Number(row['count']),
  }))
  return groups.reduce((sum, { count }) => sum + count, 0) > counted ? undefined : groups
}

const countAll = sql<number | string>`count(*)`

/** The words, and the filters of columns that rows are not grouped by; undefined for none. */
function rowsOnly({ find, filters }: RowFilter, columns: Columns): RowFilter | undefined {
  const others = new Map([...filters].filter(([name]) => !(name in columns)))
  return find || others.size > 0 ? { find, filters: others } : undefined
}

/** The rows that match a filter, each with its values. */
async function groupsFound<T>(
  request: ListRequest,
  list: List<T>,
  { columns, filter }: { columns: Columns; filter: RowFilter },
): Promise<Group[] | undefined> {
  const kept = Object.values(columns).map(({ field }) => field)
  const rows = await matchingRows(request, list, { filter, kept })
  return rows?.map((row) => ({
    values: Object.fromEntries(Object.entries(columns).map(([name, column]) => [name, valueIn(row, column)])),
    count: 1,
  }))
}
