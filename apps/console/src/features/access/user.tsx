import { groupList, userView } from '@purlin/contract/operations/silos/silos'
import { useQuery } from '@tanstack/react-query'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import { load, prefetch, query } from '#/api/query.ts'
import { paths, sections } from '#/lib/addresses.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { PersonActivity } from '#/features/audit-log/PersonActivity.tsx'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { ownQueries, useRole } from '#/resource/role/useRole.ts'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { AccessTokens } from './tokens/AccessTokens.tsx'
import { EffectiveRoles, explanation } from './roles/EffectiveRoles.tsx'
import { LastSignIn, useSeesSignIns } from './people/lastSignIn.tsx'
import { PrincipalList } from './people/PrincipalList.tsx'
import { useUserMenu } from './people/useUserMenu.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Section } from './Section.tsx'
import { Sessions } from './tokens/Sessions.tsx'
import { useLocalSilo } from '#/resource/role/useLocalSilo.ts'

const userQuery = (userId: string) => query(userView, { params: { userId } })

export const Route = createFileRoute('/_auth/_silo/access/users/$user')({
  validateSearch: pagingSearch,
  loader: ({ params: { user } }) => Promise.all([load(userQuery(user)), prefetch(explanation(user))]),
  staticData: { crumb: { label: 'Users', to: () => paths.users } },
  component: UserPage,
})

function UserPage() {
  const { user } = Route.useParams()
  const person = useLoaded(userQuery(user))
  const { displayName, id } = person
  const self = useQuery(ownQueries.me()).data
  const { lacks } = useRole()
  const navigate = useNavigate()
  const seesSignIns = useSeesSignIns()
  const isOwn = self?.id === id
  const { silo, disabledReason } = useLocalSilo()
  const place = { silo: silo ?? '', isLocal: silo !== undefined, disabledReason }
  const { menu, dialog } = useUserMenu(place, () => navigate({ href: paths.users }))
  return (
    <>
      <PageHeader icon={<User />} title={displayName}>
        <LinkButton href={paths.whoCan(sections.siloAccess.list(), { person: id })}>
          Who can do what
        </LinkButton>
        <PageMenu label="User actions" items={menu(person)} />
      </PageHeader>
      <PropertiesTable
        columns={1}
        properties={[
          idProperty(id),
          ...(person.timeDeactivated
            ? [{ label: 'Deactivated', value: <DateTime date={person.timeDeactivated} /> }]
            : []),
          ...(isOwn || seesSignIns ? [{ label: 'Last sign-in', value: <LastSignIn {...person} /> }] : []),
        ]}
      />
      <Section title="Roles">
        <EffectiveRoles identity={id} />
      </Section>
      <Section title="Sessions">
        <Sessions user={id} name={displayName} lacks={isOwn ? undefined : lacks('admin')} />
      </Section>
      <Section title="Access tokens">
        <AccessTokens user={id} name={displayName} lacks={isOwn ? undefined : lacks('admin')} />
      </Section>
      <Section title="What they did">
        <PersonActivity user={id} lacks={lacks('admin')} />
      </Section>
      <Section title="Groups">
        <PrincipalList
          op={groupList}
          of="group"
          scope={{ user: id }}
          empty={{ title: 'In no group', body: `${displayName} is in no group of the silo.` }}
        />
      </Section>
      {dialog}
    </>
  )
}
