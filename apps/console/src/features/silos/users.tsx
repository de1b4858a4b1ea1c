import { siloUserList } from '@purlin/contract/operations/users'
import { urlOf } from '@purlin/contract/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { prefetch, query } from '#/api/query.ts'
import { copyWithToast } from '#/resource/copyWithToast.ts'
import { exportOf, exportReason, useListOptions } from '#/resource/ListOptions.tsx'
import { pageQuery, pagingSearch, usePaging, type PagingSearch } from '#/resource/paging.ts'
import { QueryTable } from '#/resource/QueryTable.tsx'
import { EmptyState } from '#/ui/EmptyState.tsx'
import { RowMenu } from '#/ui/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Truncate } from '#/ui/Truncate.tsx'

interface Person {
  id: string
  displayName: string
}

const usersQuery = (silo: string, search: PagingSearch) => {
  const { limit } = pageQuery(search)
  return query(siloUserList, {
    query: {
      silo,
      limit,
      ...(search.page ? { pageToken: search.page } : {}),
      ...(search.find ? { find: search.find } : {}),
    },
  })
}

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/users')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(usersQuery(params.silo, deps)),
  staticData: { crumb: { label: 'Users' } },
  component: UsersTab,
})

const columns: readonly Column<Person>[] = [
  {
    id: 'name',
    header: 'name',
    cell: ({ displayName }) => <span className="font-medium">{displayName}</span>,
  },
  { id: 'id', header: 'ID', cell: ({ id }) => <Truncate text={id} max={32} at="middle" className="mono" /> },
]

/** The users of the silo. */
function UsersTab() {
  const { silo } = Route.useParams()
  const { search } = usePaging()
  const page = usersQuery(silo, search)
  const { data } = useQuery({ ...page, throwOnError: false, placeholderData: keepPreviousData })
  const { find } = search
  const options = useListOptions({
    type: 'silo-user',
    columns,
    exported: exportOf(urlOf(siloUserList, { query: { silo, ...(find ? { find } : {}) } })),
    disabledReason: exportReason(data),
  })
  return (
    <>
      <div className="mb-3 flex justify-end">{options.button}</div>
      <QueryTable<Person>
        label="Users"
        query={page}
        columns={options.columns}
        actions={({ id }) => (
          <RowMenu items={[{ label: 'Copy ID', onAction: () => void copyWithToast(id, 'User ID') }]} />
        )}
        empty={
          <EmptyState
            icon={<User />}
            title="No users"
            body="Nobody has signed in to this silo yet, and no local user has been made."
          />
        }
      />
    </>
  )
}
