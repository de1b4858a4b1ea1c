/** Columns that most lists have. */
import { DateTime } from '#/ui/value/DateTime.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { DescriptionCell } from './DescriptionCell.tsx'
import { pageOf } from '../address/pageOf.ts'
import type { Kind, Scope } from '../kind.ts'

/** The name, as a link to the page or form of the resource if there is one. */
export const nameColumn = (kind: Kind, scope: Scope): Column<{ name: string }> => ({
  id: 'name',
  header: 'name',
  order: 'name',
  cell: ({ name }) =>
    kind.section.forms.includes('edit') ? (
      <CellLink href={pageOf(kind.name, { ...scope, name })}>{name}</CellLink>
    ) : (
      <CutText text={name} />
    ),
})

export const descriptionColumn: Column<{ description: string }> = {
  id: 'description',
  header: 'description',
  spare: 2,
  cell: ({ description }) => <DescriptionCell text={description} />,
}

export const createdColumn: Column<{ timeCreated: Date }> = {
  id: 'created',
  header: 'created',
  spare: 3,
  order: 'time_created',
  cell: ({ timeCreated }) => <DateTime date={timeCreated} />,
}
