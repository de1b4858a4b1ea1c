/** Checks each operation against the shapes of its input tables and derives those of its output. */
import { messages, quoted } from '@purlin/contract/rules/messages'
import type { DatumType, Schema } from '#/timeseries/model.ts'
import { alignedDimensions } from './align.ts'
import { checkFilter } from './filter.ts'
import { durationMs, type Op, QueryError } from './syntax.ts'
import { type DataType, type Dimension, isNumeric, onlyDimension, type Shape } from './table.ts'

type Following = Exclude<Op, { op: 'get' | 'group' }>
type Align = Extract<Op, { op: 'align' }>
type GroupBy = Extract<Op, { op: 'group_by' }>

/** The shape of the table of a schema, in which counters are deltas. Throws QueryError. */
export function shapeOf({ name, fields, datum }: Schema): Shape {
  return {
    name,
    fields: new Map(fields.map((field) => [field.name, field.type])),
    dimensions: [dimensionOf(name, datum)],
    alignment: null,
  }
}

function dimensionOf(name: string, datum: DatumType): Dimension {
  const counts = /^(?:cumulative|histogram)_/.test(datum)
  const base = /f32|f64/.test(datum) ? 'double' : 'integer'
  const metric = counts ? 'delta' : 'gauge'
  if (datum.startsWith('histogram_')) return { metric, type: `${base}_distribution` }
  if (datum === 'bytes') throw new QueryError(`Queries cannot read ${name}: its values are bytes`)
  const type: DataType = datum === 'bool' ? 'boolean' : datum === 'string' ? 'string' : base
  return { metric, type }
}

/** The shapes of the tables after an operation; `end` is the end of the query. Throws QueryError. */
export function shapesAfter(op: Following, shapes: readonly Shape[], end: number): Shape[] {
  switch (op.op) {
    case 'filter':
      for (const shape of shapes) checkFilter(shape, op.expr)
      return [...shapes]
    case 'limit':
      return [...shapes]
    case 'align':
      return shapes.map((shape) => aligned(op, shape, end))
    case 'group_by':
      return [grouped(op, shapes)]
    case 'join':
      return [joined(shapes)]
  }
}

function aligned({ method, period }: Align, shape: Shape, end: number): Shape {
  if (method === 'interpolate') throw new QueryError('Alignment via interpolation is not yet implemented')
  const dimension = onlyDimension(shape)
  if (!dimension)
    throw new QueryError(
      `Alignment by mean requires one-dimensional data, and ${shape.name} has ${shape.dimensions.length} dimensions`,
    )
  if (!isNumeric(dimension.type))
    throw new QueryError(`Alignment by mean requires numeric data type, not ${dimension.type}`)
  return {
    ...shape,
    dimensions: alignedDimensions[method].map(() => ({ metric: 'gauge', type: 'double' })),
    alignment: { end, period: durationMs(period) },
  }
}

function grouped({ fields, reducer }: GroupBy, [shape, ...others]: readonly Shape[]): Shape {
  if (!shape || others.length)
    throw new QueryError(
      `A \`group_by\` requires exactly one input table, not ${others.length + 1}: join them first`,
    )
  if (!shape.alignment) throw new QueryError(messages.notAligned({ operation: 'group_by' }))
  const dimension = onlyDimension(shape)
  if (!dimension) throw new QueryError('Input tables to a `group_by` must be one-dimensional')
  const kept = fields.map((name) => {
    const type = shape.fields.get(name)
    if (type) return [name, type] as const
    const valid = [...shape.fields.keys()].join(', ')
    throw new QueryError(
      `Cannot group by field '${quoted(name)}', which does not appear in the input tables. Valid fields are: [${valid}]`,
    )
  })
  const type = reducer === 'mean' ? 'double' : dimension.type
  return { ...shape, fields: new Map(kept), dimensions: [{ ...dimension, type }] }
}

function joined(shapes: readonly Shape[]): Shape {
  const [first, ...others] = shapes
  if (!first || others.length === 0) throw new QueryError('A `join` requires at least two input tables')
  for (const shape of shapes) {
    if (!shape.alignment) throw new QueryError(messages.notAligned({ operation: 'join' }))
    if (!onlyDimension(shape)) throw new QueryError('Input tables to a `join` must be one-dimensional')
    if (shape.alignment.period !== first.alignment?.period)
      throw new QueryError('Input tables to a `join` must be aligned to the same period')
    if (fieldsText(shape) !== fieldsText(first))
      throw new QueryError(
        `Input tables to a \`join\` must have the same fields: ` +
          `${first.name} has [${fieldsText(first)}], ${shape.name} has [${fieldsText(shape)}]`,
      )
  }
  return {
    ...first,
    name: shapes.map(({ name }) => name).join(','),
    dimensions: shapes.flatMap(({ dimensions }) => dimensions),
  }
}
const fieldsText = ({ fields }: Shape) =>
  Array.from(fields, ([name, type]) => `${name}: ${type}`)
    .toSorted()
    .join(', ')
