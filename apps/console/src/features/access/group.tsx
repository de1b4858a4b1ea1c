import { groupView, userList } from '@purlin/contract/operations/silos/silos'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import Users from 'lucide-react/icons/users'
import { load, prefetch, query } from '#/api/query.ts'
import { paths } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { EffectiveRoles, explanation } from './roles/EffectiveRoles.tsx'
import { PrincipalList, principalPage } from './people/PrincipalList.tsx'
import { useGroupMenu } from './people/useGroupMenu.tsx'
import { useMembers } from './people/useMembers.tsx'
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
  const { group: groupId } = Route.useParams()
  const group = useLoaded(groupQuery(groupId))
  const navigate = useNavigate()
  const { silo, disabledReason } = useLocalSilo()
  const place = { silo: silo ?? '', isLocal: silo !== undefined, disabledReason }
  const { menu, dialog } = useGroupMenu(place, () => navigate({ href: paths.groups }))
  const members = useMembers(place, group)
  return (
    <>
      <PageHeader icon={<Users />} title={group.displayName}>
        <PageMenu label="Group actions" items={menu(group)} />
      </PageHeader>
      <PropertiesTable columns={1} properties={[idProperty(group.id)]} />
      <Section title="Roles of its members">
        <EffectiveRoles identity={group.id} />
      </Section>
      <Section title="Members">
        <PrincipalList
          op={userList}
          of="user"
          scope={{ group: group.id }}
          empty={{ title: 'No members', body: 'This group has no members.' }}
          menu={members.menu}
        >
          {members.button}
        </PrincipalList>
      </Section>
      {dialog}
      {members.dialog}
    </>
  )
}
