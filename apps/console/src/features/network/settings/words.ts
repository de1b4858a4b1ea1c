/** How tables show the fields of a row. */
import type { Row, RowTable } from '#/resource/form/rowTable.ts'

/** The text of a field; a dash for one without a value. */
export function textOf({ fields }: RowTable, name: string, row: Row): string {
  const field = fields.find((one) => one.name === name)
  const value = row[name]
  if (value === undefined || value === '' || Number.isNaN(value)) return '–'
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  const item = field?.as === 'choice' ? field.items?.find((one) => one.value === value) : undefined
  return item?.label ?? String(value)
}
