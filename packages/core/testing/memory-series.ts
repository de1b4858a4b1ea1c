/** Timeseries in memory, for tests of queries. */
import {
  TooManyPoints,
  type Fields,
  type FieldType,
  type Points,
  type Schema,
  type SeriesRequest,
  type StoredSeries,
  type TimeseriesReader,
} from '#/timeseries/model.ts'

/** Makes a schema. */
export const schemaOf = (
  name: string,
  datum: Schema['datum'],
  fields: Record<string, FieldType>,
): Schema => ({
  name,
  description: { target: '', metric: '' },
  fields: Object.entries(fields).map(([field, type]) => ({
    name: field,
    type,
    source: 'target',
    description: '',
  })),
  datum,
  version: 1,
  scope: 'project',
  units: 'count',
  created: 0,
})

/** The stored points of one series; a missing value is null, `starts` are those of a counter. */
export interface Stored {
  of: string
  fields: Record<string, string | number | boolean>
  times: readonly number[]
  starts?: readonly number[]
  values: readonly (StoredSeries['points']['values']['of'][number] | null)[]
}

export interface MemoryReader extends TimeseriesReader {
  /** The requests so far, oldest first. */
  readonly requests: SeriesRequest[]
  readonly pointsRead: number
}

/** Reads the given series. With `ignoresRequest` it returns all points of all series of a schema. */
export function memoryReader(
  schemas: readonly Schema[],
  stored: readonly Stored[],
  ignoresRequest = false,
): MemoryReader {
  const requests: SeriesRequest[] = []
  let pointsRead = 0
  const seriesOf = (schema: Schema): StoredSeries[] =>
    stored
      .filter(({ of }) => of === schema.name)
      .map(({ fields, times, starts, values }) => ({
        key: JSON.stringify(Object.values(fields)),
        fields: typed(schema, fields),
        points: {
          timestamps: Float64Array.from(times),
          startTimes: starts ? Float64Array.from(starts) : null,
          values: pointValues(values),
        },
      }))
  return {
    requests,
    get pointsRead() {
      return pointsRead
    },
    schema: (name) => Promise.resolve(schemas.find((schema) => schema.name === name) ?? null),
    read(request, maxPoints) {
      requests.push(request)
      const all = seriesOf(request.schema)
      const read = ignoresRequest
        ? all
        : all.filter((one) => fits(one.fields, request)).map((one) => within(one, request))
      const found = read.filter(({ points }) => points.timestamps.length > 0)
      const count = found.reduce((sum, { points }) => sum + points.timestamps.length, 0)
      pointsRead += count
      return count > maxPoints ? Promise.reject(new TooManyPoints()) : Promise.resolve(found)
    },
  }
}

const typed = (schema: Schema, fields: Stored['fields']): Fields =>
  Object.fromEntries(schema.fields.map(({ name, type }) => [name, { type, value: fields[name] ?? '' }]))
const pointValues = (values: Stored['values']): Points['values'] =>
  values.some((value) => value !== null && typeof value !== 'number')
    ? { kind: 'others', of: values.map((value) => (typeof value === 'number' ? null : value)) }
    : {
        kind: 'numbers',
        of: Float64Array.from(values, (value) => (value === null ? Number.NaN : Number(value))),
      }

const fits = (fields: Fields, { equal, test }: SeriesRequest) =>
  [...equal].every(([name, value]) => fields[name]?.value === value) && test(fields)

function within(series: StoredSeries, { from, until, limit }: SeriesRequest): StoredSeries {
  if (from === null && until === null && !limit) return series
  const { timestamps, startTimes, values } = series.points
  const inRange = [...timestamps.keys()].filter((i) => {
    const at = timestamps[i] ?? 0
    return at >= (from ?? -Infinity) && at <= (until ?? Infinity)
  })
  const kept = limit?.side === 'last' ? inRange.slice(-limit.count) : inRange.slice(0, limit?.count)
  const take = (of: Float64Array) => Float64Array.from(kept, (i) => of[i] ?? Number.NaN)
  return {
    ...series,
    points: {
      timestamps: take(timestamps),
      startTimes: startTimes && take(startTimes),
      values:
        values.kind === 'numbers'
          ? { kind: 'numbers', of: take(values.of) }
          : { kind: 'others', of: kept.map((i) => values.of[i] ?? null) },
    },
  }
}
