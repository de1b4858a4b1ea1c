/** Exports any list: written page by page while the client reads it, with the present permissions of the user. */
import { rowsOfList } from '@purlin/contract/operations/lists/list-export'
import { operations } from '@purlin/contract/operations'
import { bare, type Node } from '@purlin/contract/schema'
import { exportFormats, type ExportFormat } from '@purlin/contract/schemas/export'
import type { Family, RequestContext } from '#/context.ts'
import { fault } from '#/faults.ts'
import { actorStill, csvHead, dayOf, lineOf, limitExportReads } from './exports.ts'
import { pagesAt, readPage, type Page } from './list-pages.ts'

const perRead = 1000

type Row = Record<string, unknown>

export const listExports: Family<'listExport'> = {
  listExport: {
    async withoutTransaction(request, { query: { list, format } }) {
      const { path, pageAt } = pagesAt(list, perRead)
      const row = listed(path)
      if (!row) throw fault.invalidValue('list', 'it is not the address of a list that has pages')
      const first = await limitExportReads(request, () => readPage<Row>(request, pageAt(null)))
      request.answer.stream = {
        contentType: exportFormats[format],
        fileName: `${path.slice(path.lastIndexOf('/') + 1)}-${dayOf(request)}.${format}`,
        text: write(request, { first, pageAt, format, columns: columnsOf(row) }),
      }
    },
  },
}

interface Written {
  first: Page<Row>
  pageAt: (next: string) => string
  format: ExportFormat
  columns: readonly string[][]
}

async function* write(
  request: RequestContext,
  { first, pageAt, format, columns }: Written,
): AsyncGenerator<string> {
  if (format === 'csv') yield csvHead(columns.map((path) => path.join('.')))
  for (let page = first; ;) {
    yield page.items
      .map((row) =>
        format === 'csv' ? lineOf(columns.map((path) => textAt(row, path))) : `${JSON.stringify(row)}\n`,
      )
      .join('')
    const next = page.next_page
    if (next == null) return
    const actor = await actorStill(request)
    page = await limitExportReads(request, () => readPage<Row>(request, pageAt(next), actor))
  }
}

/** The description of the rows at an address; undefined if there is no list. */
function listed(path: string): Node | undefined {
  const parts = path.split('/')
  const fits = (pattern: string) => {
    const segments = pattern.split('/')
    return (
      segments.length === parts.length &&
      segments.every((part, i) => part === parts[i] || part.startsWith('{'))
    )
  }
  const found = Object.values(operations).filter((op) => op.method === 'GET' && fits(op.path))
  const [op] = found.toSorted((a, b) => Number(a.path.includes('{')) - Number(b.path.includes('{')))
  return op && rowsOfList(op)
}

/** The paths of a row's values, as the API names them: those of objects in it one by one, of alternatives all. */
function columnsOf(node: Node, above: readonly string[] = []): string[][] {
  const at = bare(node)
  if (at.kind === 'nullable') return columnsOf(at.inner, above)
  if (at.kind === 'object') return at.fields.flatMap((field) => columnsOf(field.node, [...above, field.wire]))
  if (at.kind !== 'union') return [[...above]]
  const all = [...at.arms.values()].flatMap((arm) => columnsOf(arm, above))
  return [...new Map(all.map((path) => [path.join('.'), path])).values()]
}

/** Texts and numbers of a list are parted by spaces; what else is no single value is JSON. */
function textAt(row: unknown, path: readonly string[]): string {
  let at: unknown = row
  for (const key of path) at = typeof at === 'object' && at !== null ? Reflect.get(at, key) : undefined
  if (at === null || at === undefined) return ''
  if (Array.isArray(at) && at.every((one) => typeof one !== 'object')) return at.join(' ')
  return typeof at === 'string' ? at : JSON.stringify(at)
}
