import type { siloUserList } from '@purlin/contract/operations/access/users'
import type { Item } from '#/api/everyPage.ts'
import { lastSignInColumn } from '#/features/access/people/lastSignIn.tsx'
import { stateColumn } from '#/features/access/people/stateColumn.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Truncate } from '#/ui/value/Truncate.tsx'

/** A user in a list of operators. */
export type Person = Item<typeof siloUserList>

/** The id of a user or group. */
export const idColumn = {
  id: 'id',
  header: 'ID',
  cell: ({ id }: { id: string }) => <Truncate text={id} max={32} at="middle" className="mono" />,
}

/** The columns of a list of users. */
export const userColumns: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ displayName }) => <span className="font-medium">{displayName}</span>,
  },
  stateColumn,
  lastSignInColumn,
  idColumn,
]
