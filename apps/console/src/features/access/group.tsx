import { groupView, userList } from '@purlin/contract/operations/silos/silos'
import { createFileRoute } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { load, prefetch, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { EffectiveRoles, explanation } from './roles/EffectiveRoles.tsx'
import { PrincipalList, principalPage } from './people/PrincipalList.tsx'
import { Section } from './Section.tsx'

const groupQuery = (groupId: string) => query(groupView, { params: { groupId } })

export const Route = createFileRoute('/_auth/_silo/access/groups/$group')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { group }, deps }) =>
    Promise.all([
      load(groupQuery(group)),
      prefetch(explanation(group), principalPage(userList, deps, { group })),
    ]),
  staticData: { crumb: { label: 'Groups', to: () => paths.groups } },
  component: GroupPage,
})

function GroupPage() {
  const { group } = Route.useParams()
  const { displayName, id } = useLoaded(groupQuery(group))
  return (
    <>
      <PageHeader icon={<Users />} title={displayName} />
      <PropertiesTable columns={1} properties={[idProperty(id)]} />
      <Section title="Roles of its members">
        <EffectiveRoles identity={id} />
      </Section>
      <Section title="Members">
        <PrincipalList
          op={userList}
          of="user"
          scope={{ group: id }}
          empty={{ title: 'No members', body: 'This group has no members.' }}
        />
      </Section>
    </>
  )
}
