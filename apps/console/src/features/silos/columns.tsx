import { siloPolicyView } from '@purlin/contract/operations/access/policies'
import type { siloUserList } from '@purlin/contract/operations/access/users'
import type { Role } from '@purlin/contract/rules/roles'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { lastSignInColumn } from '#/features/access/people/lastSignIn.tsx'
import { roleColumn, rolesIn } from '#/features/access/people/roleColumn.tsx'
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

const userColumns = (roles: ReadonlyMap<string, Role | null>): readonly Column<Person>[] => [
  {
    id: 'name',
    header: 'name',
    order: 'name',
    cell: ({ displayName }) => <span className="font-medium">{displayName}</span>,
  },
  roleColumn(roles),
  stateColumn,
  lastSignInColumn,
  idColumn,
]

/** The columns of a list of users of a silo. */
export function useUserColumns(silo: string): readonly Column<Person>[] {
  const { data } = useQuery({ ...query(siloPolicyView, { params: { silo } }), throwOnError: false })
  return userColumns(rolesIn(data))
}
