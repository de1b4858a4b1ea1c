import { siloGroupView } from '@purlin/contract/operations/access/local-groups'
import { siloUserList } from '@purlin/contract/operations/access/users'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { load, prefetch, query } from '#/api/query.ts'
import { useGroupMenu } from '#/features/access/people/useGroupMenu.tsx'
import { useMembers } from '#/features/access/people/useMembers.tsx'
import { paths } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { listPage } from '#/resource/list/listPage.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { usePageOptions } from '#/resource/list/usePageOptions.ts'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { useUserColumns, type Person } from './columns.tsx'
import { usePeoplePlace } from './usePeoplePlace.ts'

interface Target {
  silo: string
  group: string
}
const groupQuery = ({ silo, group }: Target) =>
  query(siloGroupView, { params: { groupId: group }, query: { silo } })

export const Route = createFileRoute('/_auth/system/_silo-pages/silos/$silo/groups/$group')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params, deps }) =>
    Promise.all([load(groupQuery(params)), prefetch(listPage(siloUserList, params, deps))]),
  staticData: { crumb: { label: 'Group' } },
  component: GroupPage,
})

/** The members of a group of the silo. */
function GroupPage() {
  const target = Route.useParams()
  const group = useLoaded(groupQuery(target))
  const navigate = useNavigate()
  const place = usePeoplePlace(target.silo)
  const { menu, dialog } = useGroupMenu(place, () => navigate({ href: paths.siloTab(target.silo, 'groups') }))
  const members = useMembers(place, group)
  const options = usePageOptions(
    siloUserList,
    { ...target },
    { type: 'silo-user', columns: useUserColumns(target.silo) },
  )
  return (
    <>
      <div className="mb-3 flex flex-wrap items-center gap-2">
        <h2 className="grow text-md font-semibold wrap-anywhere">{group.displayName}</h2>
        {options.button}
        {members.button}
        <PageMenu label="Group actions" items={menu(group)} />
      </div>
      <QueryTable<Person>
        label="Members"
        queried={filteredKindOf(siloUserList)}
        query={options.query}
        columns={options.columns}
        actions={(one) => <RowMenu items={members.menu(one)} />}
        empty={<EmptyState icon={<User />} title="No members" body="This group has no members." />}
      />
      {dialog}
      {members.dialog}
    </>
  )
}
