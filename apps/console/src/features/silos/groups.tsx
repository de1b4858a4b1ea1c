import { siloGroupList } from '@purlin/contract/operations/access/local-groups'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { createFileRoute } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { useState } from 'react'
import type { Item } from '#/api/everyPage.ts'
import { prefetch } from '#/api/query.ts'
import { NewGroupDialog } from '#/features/access/people/GroupDialogs.tsx'
import { useGroupMenu } from '#/features/access/people/useGroupMenu.tsx'
import { paths } from '#/lib/addresses.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { NewButton } from '#/ui/button/NewButton.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { idColumn } from './columns.tsx'
import { usePeoplePlace } from './usePeoplePlace.ts'

type Group = Item<typeof siloGroupList>

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/groups')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { silo }, deps }) => prefetch(listPage(siloGroupList, { silo }, deps)),
  staticData: { crumb: { label: 'Groups' } },
  component: GroupsTab,
})

/** The groups of the silo; those of a silo with local users are made and deleted here. */
function GroupsTab() {
  const { silo } = Route.useParams()
  const place = usePeoplePlace(silo)
  const [isAdding, setAdding] = useState(false)
  const { menu, dialog } = useGroupMenu(place)
  const columns = [
    {
      id: 'name',
      header: 'name',
      cell: ({ id, displayName }: Group) => (
        <CellLink href={paths.siloGroup(silo, id)}>{displayName}</CellLink>
      ),
    },
    idColumn,
  ]
  const options = usePageOptions(siloGroupList, { silo }, { type: 'silo-group', columns })
  return (
    <>
      <div className="mb-3 flex justify-end gap-2">
        {options.button}
        {place.isLocal && (
          <NewButton disabledReason={place.disabledReason} onClick={() => setAdding(true)}>
            New group
          </NewButton>
        )}
      </div>
      <QueryTable<Group>
        label="Groups"
        queried={filteredKindOf(siloGroupList)}
        query={options.query}
        columns={options.columns}
        actions={(one) => <RowMenu items={menu(one)} />}
        empty={
          <EmptyState
            icon={<Users />}
            title="No groups"
            body={
              place.isLocal
                ? 'Give a role to a group, and its members have it.'
                : 'The identity provider of the silo has sent none yet.'
            }
          />
        }
      />
      {isAdding && <NewGroupDialog silo={silo} onDismiss={() => setAdding(false)} />}
      {dialog}
    </>
  )
}
