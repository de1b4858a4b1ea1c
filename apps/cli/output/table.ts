/** Tables for people, made from the schema of an answer. */
import { sentenceText, type DoneEntry } from '@purlin/contract/rules/audit/deeds'
import { formatBytes } from '@purlin/contract/rules/limits'
import { bare, type Field, type Node } from '@purlin/contract/schema'
import { plainText } from './json.ts'
import { decode } from '@purlin/contract/wire'
import { printable } from '@purlin/contract/commands/printable'

type Row = Readonly<Record<string, unknown>>
export interface Column {
  heading: string
  wire: string
  node: Node
  /** The text of a row, if it is no field. */
  text?: (row: unknown) => string
}
export interface Table {
  columns: readonly Column[]
  widths: readonly number[]
}

const gap = '  '
// Columns are dropped from the end of this order until the rest fits: names and states say the most.
const first = ['name', 'display_name', 'run_state', 'state', 'status', 'kind', 'class', 'severity']
const last = ['id', 'time_modified', 'description', 'protected']

/** The fields of a row that fit into a cell. */
function isCell(node: Node): boolean {
  const inner = node.kind === 'nullable' ? bare(node.inner) : bare(node)
  return !['array', 'record', 'object', 'json', 'bytes', 'base64'].includes(inner.kind)
}

function rankOf({ wire }: Field, isAsked: boolean): number {
  if (isAsked) return first.length
  if (first.includes(wire)) return first.indexOf(wire)
  if (last.includes(wire)) return 1000 + last.indexOf(wire)
  return wire.endsWith('_id') ? 500 : 100
}

const headingOf = (wire: string): string => wire.replaceAll('_', ' ').toUpperCase()

/** The schemas whose rows are entries of the audit log: several fields say what was done. */
const entries = ['Activity', 'AuditLogEntry']

const sentenceColumn = (node: Node): Column => ({
  heading: 'WHAT',
  wire: '',
  node,
  text: (row) => printable(sentenceText(decode<DoneEntry>({ node }, row))),
})

/**
 * The columns of the rows of a schema, the most telling first. Rows that are no objects have one. `asked` has fields that
 * rows have only on request, and whether the request was for them.
 */
export function columnsOf(item: Node, asked: Readonly<Record<string, boolean>> = {}): readonly Column[] {
  const node = bare(item)
  if (node.kind !== 'object') return [{ heading: 'VALUE', wire: '', node }]
  const cells = node.fields.filter(({ wire, node: of }) => isCell(of) && asked[wire] !== false)
  const columns = cells
    .toSorted((a, b) => rankOf(a, asked[a.wire] === true) - rankOf(b, asked[b.wire] === true))
    .map(({ wire, node }) => ({ heading: headingOf(wire), wire, node }))
  return item.kind === 'ref' && entries.includes(item.name) ? [sentenceColumn(item), ...columns] : columns
}

/** A value in a cell: bytes with a unit, times to the second, `-` for none. */
function cellText(node: Node, value: unknown): string {
  if (value === null || value === undefined) return '-'
  switch (node.kind) {
    case 'nullable':
      return cellText(node.inner, value)
    case 'ref':
      return node.name === 'ByteCount' && typeof value === 'number'
        ? formatBytes(value)
        : cellText(node.inner, value)
    case 'time':
      return printable(value as string).replace(/(?:\.\d+)?Z$/, 'Z')
    case 'union':
      return cellText({ kind: 'json' }, (value as Row)[node.tag] ?? value)
    default:
      return printable(plainText(value))
  }
}

const valueIn = (row: unknown, wire: string): unknown => (wire === '' ? row : (row as Row)[wire])

/** The text of a row in a column. */
export const cellIn = ({ wire, node, text }: Column, row: unknown): string =>
  text ? text(row) : cellText(node, valueIn(row, wire))

/** The columns that fit into a width, and how wide they are for these rows. */
export function tableOf(columns: readonly Column[], rows: readonly unknown[], width: number): Table {
  const widths = columns.map((column) =>
    Math.max(column.heading.length, ...rows.map((row) => cellIn(column, row).length)),
  )
  let used = 0
  const count = widths.findIndex((one, i) => {
    used += one + (i === 0 ? 0 : gap.length)
    return i > 0 && used > width
  })
  const kept = count === -1 ? columns.length : count
  return { columns: columns.slice(0, kept), widths }
}

/** The heading of a table, as a line. */
export const headingLine = ({ columns, widths }: Table): string =>
  line(columns.map(({ heading }, i) => heading.padEnd(widths[i] ?? 0)))

/** A row of a table, as a line. */
export const rowLine = ({ columns, widths }: Table, row: unknown): string =>
  line(columns.map((column, i) => cellIn(column, row).padEnd(widths[i] ?? 0)))

const line = (cells: readonly string[]): string => `${cells.join(gap).trimEnd()}\n`

/** One resource: a line for each field. */
export function fieldsText(item: Node, row: unknown): string {
  const node = bare(item)
  if (node.kind !== 'object') return `${cellText(item, row)}\n`
  const present = node.fields.filter(({ wire }) => valueIn(row, wire) !== undefined)
  const width = Math.max(0, ...present.map(({ wire }) => wire.length))
  return present
    .map(
      (field) =>
        `${field.wire.replaceAll('_', ' ').padEnd(width)}${gap}${cellText(field.node, valueIn(row, field.wire))}\n`,
    )
    .join('')
}
