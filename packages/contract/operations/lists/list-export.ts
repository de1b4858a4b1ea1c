/** Of our own: all rows of a list as a file. */
import { op, type OpShape } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { bare, object, string } from '#/schema.ts'
import { download, exportFormat } from '#/schemas/export.ts'

export const listExport = op({
  ...download, path: '/v1/export', allow: 'user', tag: 'search',
  query: object({
    list: string({ maxLength: limits.task.query }),
    format: exportFormat,
  }),
})

/** The description of a list's rows; undefined for an operation that lists no pages. */
export function rowsOfList({ method, response }: OpShape) {
  const page = response && bare(response.node)
  if (method !== 'GET' || page?.kind !== 'object') return undefined
  if (!page.fields.some(({ wire }) => wire === 'next_page')) return undefined
  const items = page.fields.find(({ wire }) => wire === 'items')
  const rows = items && bare(items.node)
  return rows?.kind === 'array' ? bare(rows.item) : undefined
}
