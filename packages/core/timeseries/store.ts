/** The layout of the store: sources, their series, and chunks of points by time. */
import { LRUCache } from 'lru-cache'
import type { Schema, Fields } from './model.ts'
import { fieldsOf, schemas } from './schemas.ts'

/** New chunks are short, so that adding samples rewrites little data. Later the chunks of an hour are merged. */
export const slotMs = 5 * 60_000
export const hourMs = 60 * 60_000
/** Older samples are deleted. */
export const retentionMs = 30 * 24 * hourMs

/** The start of the chunk of this length that contains a time. */
export const floorTo = (ms: number, time: number): number => Math.floor(time / ms) * ms

/** Values of fields. Their types are in the schema. */
export type Labels = Readonly<Record<string, string | number | boolean>>

/** Identifies a series of a source: its metric and the fields of the metric. */
export type StoredName = readonly [metric: string, labels: Labels]

export interface Source {
  id: number
  fields: Labels
  series: readonly StoredName[]
  /** The number of each series by `textOf` its name. */
  numbers: ReadonlyMap<string, number>
}

/** The name of a series as text. */
export const textOf = (name: StoredName): string => JSON.stringify(name)

type SeriesList = Pick<Source, 'series' | 'numbers'>
const lists = new LRUCache<string, SeriesList>({ max: 1000 })

/** Caches lists of series, because most sources of a target have the same ones. */
function listOf(seriesJson: string): SeriesList {
  const known = lists.get(seriesJson)
  if (known) return known
  const series = JSON.parse(seriesJson) as StoredName[]
  const list = { series, numbers: new Map(series.map((name, number) => [textOf(name), number])) }
  lists.set(seriesJson, list)
  return list
}

/** A source from its row. */
export const sourceOf = (row: { id: number; fieldsJson: string; seriesJson: string }): Source => ({
  id: row.id,
  fields: JSON.parse(row.fieldsJson) as Labels,
  ...listOf(row.seriesJson),
})

/** The series of a metric with their numbers and fields. */
export const seriesOf = (schema: Schema, { fields, series }: Source): { number: number; fields: Fields }[] =>
  series.flatMap(([metric, labels], number) =>
    schema.name.endsWith(`:${metric}`)
      ? [{ number, fields: fieldsOf(schema, { ...fields, ...labels }) }]
      : [],
  )

/** The names of the target fields of a schema. Targets of the same name may have different fields. */
export function targetFields(name: string): string[] {
  const schema = schemas.get(name)
  if (!schema) throw new Error(`no timeseries ${name}`)
  return schema.fields.filter((field) => field.source === 'target').map((field) => field.name)
}

/** Splits the name of a timeseries. */
export const partsOf = (name: string): { target: string; metric: string } => {
  const [target = '', metric = ''] = name.split(':')
  return { target, metric }
}
