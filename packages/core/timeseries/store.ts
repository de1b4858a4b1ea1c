/** How the store is laid out: sources, their series, and chunks of time. */
import type { Schema, Fields } from './model.ts'
import { fieldsOf, schemas } from './schemas.ts'

/** While they are added to, chunks are short, so that little is written again; later those of an hour are one. */
export const slotMs = 5 * 60_000
export const hourMs = 60 * 60_000
/** Older samples are deleted. */
export const retentionMs = 30 * 24 * hourMs

/** The chunk of this length that a time falls into. */
export const floorTo = (ms: number, time: number): number => Math.floor(time / ms) * ms

/** Values of fields, as producers and the store know them: their types are the schema's. */
export type Labels = Readonly<Record<string, string | number | boolean>>

/** A series of a source: its metric, and the fields of the metric. */
export type StoredName = readonly [metric: string, labels: Labels]

export interface Source {
  id: number
  fields: Labels
  series: readonly StoredName[]
  /** The number of each series, by the text of its name. */
  numbers: ReadonlyMap<string, number>
}

/** The name of a series as text. */
export const textOf = (name: StoredName): string => JSON.stringify(name)

type SeriesList = Pick<Source, 'series' | 'numbers'>
const lists = new Map<string, SeriesList>()
const listsKept = 1000

/** Most sources of a target have the same series, so that few lists serve them all. */
function listOf(seriesJson: string): SeriesList {
  const known = lists.get(seriesJson)
  if (known) return known
  const series = JSON.parse(seriesJson) as StoredName[]
  const list = { series, numbers: new Map(series.map((name, number) => [textOf(name), number])) }
  if (lists.size >= listsKept) lists.clear()
  lists.set(seriesJson, list)
  return list
}

/** A source from its row. */
export const sourceOf = (row: { id: number; fieldsJson: string; seriesJson: string }): Source => ({
  id: row.id,
  fields: JSON.parse(row.fieldsJson) as Labels,
  ...listOf(row.seriesJson),
})

/** The series of a metric with all their fields, by their numbers. */
export const seriesOf = (schema: Schema, { fields, series }: Source): { number: number; fields: Fields }[] =>
  series.flatMap(([metric, labels], number) =>
    schema.name.endsWith(`:${metric}`)
      ? [{ number, fields: fieldsOf(schema, { ...fields, ...labels }) }]
      : [],
  )

/** The names of the fields of the target of a schema. Targets of one name may differ in them. */
export function targetFields(name: string): string[] {
  const schema = schemas.get(name)
  if (!schema) throw new Error(`no timeseries ${name}`)
  return schema.fields.filter((field) => field.source === 'target').map((field) => field.name)
}

/** Splits the name of a schema. */
export const partsOf = (name: string): { target: string; metric: string } => {
  const [target = '', metric = ''] = name.split(':')
  return { target, metric }
}
