/** Shows the value of an answer: as JSON, as a table, or as the fields of one resource. */
import { bare, type Node } from '@purlin/contract/schema'
import { note, write } from '../io.ts'
import { indented } from '../output/json.ts'
import { printableLines } from '@purlin/contract/commands/printable'
import { columnsOf, fieldsText, headingLine, rowLine, tableOf, type Table } from '../output/table.ts'
import type { Run } from './operation.ts'

/** The schema of the rows in an answer that is a list, directly or as `items` of a page. */
export function rowsNode(node: Node): Node | undefined {
  const inner = bare(node)
  if (inner.kind === 'array') return inner.item
  const items = inner.kind === 'object' ? inner.fields.find(({ wire }) => wire === 'items') : undefined
  return items ? rowsNode(items.node) : undefined
}

const rowsOf = (value: unknown): readonly unknown[] =>
  Array.isArray(value) ? value : ((value as { items?: unknown[] }).items ?? [])

/** The output of an instance, as text. In a terminal, its controls are not carried out. */
async function showHistory({ io }: Run, value: unknown): Promise<void> {
  const bytes = Buffer.from((value as { data: number[] }).data)
  await write(io.stdout, io.stdout.isTTY ? printableLines(bytes.toString()) : bytes)
}

/** Shows a value. A page that is not the last one says so. */
export async function showValue(run: Run, value: unknown): Promise<void> {
  const { io, op, own } = run
  if (own.json || !op.response) return write(io.stdout, `${indented(value)}\n`)
  if (run.name === 'instanceSerialConsole') return showHistory(run, value)
  const { node } = op.response
  const item = rowsNode(node)
  if (!item) return write(io.stdout, fieldsText(node, value))
  await showRows(run, { item, rows: rowsOf(value) })
  const { next_page: next } = value as { next_page?: string | null }
  if (next) await note(io, 'There are more. Use --all for all of them.')
}

/** The flags of a request, which can ask for the field of the same name. */
function askedOf({ query }: Run['op'], { query: given = {} }: Run['args']): Record<string, boolean> {
  const node = query && bare(query.node)
  const flags =
    node?.kind === 'object' ? node.fields.filter((field) => bare(field.node).kind === 'boolean') : []
  return Object.fromEntries(flags.map(({ wire }) => [wire, given[wire] === true]))
}

/** Shows rows as a table, and gives it for the rows of further pages. */
export async function showRows(
  { io, op, args }: Run,
  { item, rows, table }: { item: Node; rows: readonly unknown[]; table?: Table | undefined },
): Promise<Table> {
  const shown = table ?? tableOf(columnsOf(item, askedOf(op, args)), rows, io.stdout.columns ?? Infinity)
  const heading = table ? '' : headingLine(shown)
  await write(io.stdout, heading + rows.map((row) => rowLine(shown, row)).join(''))
  return shown
}
