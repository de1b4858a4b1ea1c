/** `group_by` and `join`: combine several series, or several tables, into one. */
import type { Fields } from '#/timeseries/model.ts'
import { type Reducer, QueryError } from './syntax.ts'
import { keyOf, pick, type Series, type Shape, type Table } from './table.ts'

const inKeyOrder = (series: readonly Series[]): Series[] =>
  series.toSorted((a, b) => (a.key < b.key ? -1 : Number(a.key > b.key)))

/** One series for each combination of values of the fields of `shape`. */
export function groupSeries(series: readonly Series[], shape: Shape, reducer: Reducer): Series[] {
  const names = [...shape.fields.keys()]
  const groups = Map.groupBy(series, ({ fields }) => keyOf(fields, names))
  const reduced = Array.from(groups, ([key, members]) => {
    const all = members[0]?.fields ?? {}
    const fields: Fields = Object.fromEntries(Object.entries(all).filter(([name]) => shape.fields.has(name)))
    const timestamps = unionOfTimes(members)
    return { key, fields, timestamps, startTimes: null, values: [reduce(members, timestamps, reducer)] }
  })
  return inKeyOrder(reduced)
}

/** Every time that at least one of the series has. */
function unionOfTimes(members: readonly Series[]): Float64Array {
  const lists = [...new Set(members.map(({ timestamps }) => timestamps))]
  if (lists.length === 1 && lists[0]) return lists[0]
  return Float64Array.from(new Set(lists.flatMap((times) => [...times]))).toSorted()
}

function reduce(members: readonly Series[], timestamps: Float64Array, reducer: Reducer): Float64Array {
  const sums = new Float64Array(timestamps.length)
  const counts = new Uint32Array(timestamps.length)
  for (const { timestamps: own, values: [values] = [] } of members) {
    let at = 0
    for (let i = 0; i < own.length; i++) {
      while ((timestamps[at] ?? Infinity) < (own[i] ?? 0)) at++
      const value = Number(values?.[i])
      if (Number.isNaN(value)) continue
      sums[at] = (sums[at] ?? 0) + value
      counts[at] = (counts[at] ?? 0) + 1
    }
  }
  return sums.map((sum, i) =>
    counts[i] === 0 ? Number.NaN : sum / (reducer === 'mean' ? (counts[i] ?? 1) : 1),
  )
}

/** The series that all tables have, at the times that all of them have. Throws QueryError. */
export function joinTables(tables: readonly Table[], shape: Shape): Series[] {
  const names = [...shape.fields.keys()].toSorted()
  const [first, ...others] = tables.map(
    ({ series }) => new Map(series.map((one) => [keyOf(one.fields, names), one])),
  )
  if (!first) return []
  for (const [i, other] of others.entries())
    for (const key of other.keys()) if (!first.has(key)) throw new QueryError(missing(tables, i + 1))
  const joined = Array.from(first, ([key, series]) => {
    const all = [series, ...others.map((other) => other.get(key))].filter((one) => one !== undefined)
    return all.length === tables.length ? joinSeries(all) : null
  })
  return joined.filter((series) => series !== null)
}
const missing = (tables: readonly Table[], at: number) =>
  `Cannot join: ${tables[at]?.shape.name} has a series that ${tables[0]?.shape.name} does not have`

function joinSeries(all: readonly Series[]): Series | null {
  const [first] = all
  const common = all.reduce<Float64Array>(
    (times, { timestamps }) => (times === timestamps ? times : commonTimes(times, timestamps)),
    first?.timestamps ?? new Float64Array(),
  )
  if (!first || common.length === 0) return null
  const values = all.flatMap((series) =>
    series.timestamps === common ? series.values : pick(series, indicesOf(series.timestamps, common)).values,
  )
  return { ...first, timestamps: common, values }
}
function commonTimes(a: Float64Array, b: Float64Array): Float64Array {
  const known = new Set(b)
  return a.filter((time) => known.has(time))
}
function indicesOf(timestamps: Float64Array, wanted: Float64Array): Uint32Array {
  let at = 0
  return Uint32Array.from(wanted, (time) => {
    while ((timestamps[at] ?? Infinity) < time) at++
    return at
  })
}
