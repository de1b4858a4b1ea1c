import { siloUserList } from '@purlin/contract/operations/access/users'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { createFileRoute } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { useState } from 'react'
import { prefetch } from '#/api/query.ts'
import { NewUserDialog } from '#/features/access/people/LocalUserDialogs.tsx'
import { useUserMenu } from '#/features/access/people/useUserMenu.tsx'
import { listPage, ordersOf } from '#/resource/list/listPage.ts'
import { pagingSearch, type PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { useUserColumns, type Person } from './columns.tsx'
import { usePeoplePlace } from './usePeoplePlace.ts'

const usersQuery = (silo: string, search: PagingSearch) => listPage(siloUserList, { silo }, search)

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/users')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) => prefetch(usersQuery(params.silo, deps)),
  staticData: { crumb: { label: 'Users' } },
  component: UsersTab,
})

/** The users of the silo; those of a silo with local users are made and deleted here. */
function UsersTab() {
  const { silo } = Route.useParams()
  const place = usePeoplePlace(silo)
  const { isLocal, disabledReason } = place
  const [isAdding, setAdding] = useState(false)
  const { menu, dialog } = useUserMenu(place)
  const options = usePageOptions(siloUserList, { silo }, { type: 'silo-user', columns: useUserColumns(silo) })
  return (
    <>
      <div className="mb-3 flex justify-end gap-2">
        {options.button}
        {isLocal && (
          <NewButton disabledReason={disabledReason} onClick={() => setAdding(true)}>
            New user
          </NewButton>
        )}
      </div>
      <QueryTable<Person>
        label="Users"
        kind={filteredKindOf(siloUserList)}
        queried={filteredKindOf(siloUserList)}
        orders={ordersOf(siloUserList)}
        query={options.query}
        columns={options.columns}
        actions={(one) => <RowMenu items={menu(one)} />}
        empty={
          <EmptyState
            icon={<User />}
            title="No users"
            body={
              isLocal
                ? 'Create the first one, and make it an admin of the silo under Access.'
                : 'No user has signed in to this silo yet. It takes an identity provider.'
            }
          />
        }
      />
      {isAdding && <NewUserDialog silo={silo} onDismiss={() => setAdding(false)} />}
      {dialog}
    </>
  )
}
