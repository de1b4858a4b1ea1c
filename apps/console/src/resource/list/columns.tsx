/** Columns that most lists have. */
import { DateTime } from '#/ui/value/DateTime.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { DescriptionCell } from './DescriptionCell.tsx'
import { pageOf } from '../address/pageOf.ts'
import type { ListedKind, Scope } from '../kind.ts'

/** The name, as a link to the resource. */
export const nameColumn = (kind: ListedKind, scope: Scope): Column<{ name: string }> => ({
  id: 'name',
  header: 'name',
  order: 'name',
  cell: ({ name }) => <CellLink href={pageOf(kind.name, { ...scope, name })}>{name}</CellLink>,
})

export const descriptionColumn: Column<{ description: string }> = {
  id: 'description',
  header: 'description',
  cell: ({ description }) => <DescriptionCell text={description} />,
}

export const createdColumn: Column<{ timeCreated: Date }> = {
  id: 'created',
  header: 'created',
  order: 'time_created',
  cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
}
