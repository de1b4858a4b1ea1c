import { createFileRoute } from '@tanstack/react-router'
import User from 'lucide-react/icons/user'
import Users from 'lucide-react/icons/users'
import { load } from '#/api/query.ts'
import { EffectiveRoles, explanation } from '#/features/access/roles/EffectiveRoles.tsx'
import { words } from '#/features/access/place.ts'
import { Section } from '#/features/access/Section.tsx'
import { identityWord } from '#/features/access/words.ts'
import { paths, sections } from '#/lib/addresses.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { LinkButton } from '#/ui/button/LinkButton.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { idProperty, PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { UiLink } from '#/ui/button/link.tsx'

export const Route = createFileRoute('/_auth/system/access/identities/$identity')({
  loader: ({ params: { identity } }) => load(explanation(identity)),
  staticData: { crumb: { label: words.fleet.title, to: () => sections.fleetAccess.list() } },
  component: IdentityOfFleet,
})

/** A user or group of any silo, as operators see it. */
function IdentityOfFleet() {
  const { identity } = Route.useParams()
  const { identityType, identityId, displayName, siloName, groups, groupsOmitted } = useLoaded(
    explanation(identity),
  )
  const isGroup = identityType === 'silo_group'
  return (
    <>
      <PageHeader icon={isGroup ? <Users /> : <User />} title={displayName}>
        <LinkButton href={paths.whoCan(sections.fleetAccess.list(), { person: identityId })}>
          Who can do what
        </LinkButton>
      </PageHeader>
      <PropertiesTable
        columns={1}
        properties={[
          { label: 'Type', value: identityWord[identityType] },
          { label: 'Silo', value: siloName },
          idProperty(identityId),
        ]}
      />
      <Section title={isGroup ? 'Roles of its members' : 'Roles'}>
        <EffectiveRoles identity={identityId} />
      </Section>
      {!isGroup && (
        <Section title="Groups">
          {groups.length === 0 ? (
            <p className="text-secondary">{displayName} is in no group of the silo.</p>
          ) : (
            <ul aria-label="Groups" className="flex flex-wrap gap-x-4 gap-y-1">
              {groups.map(({ id, displayName: name }) => (
                <li key={id}>
                  <UiLink href={paths.fleetIdentity(id)} className="font-medium hover:text-accent-text">
                    {name}
                  </UiLink>
                </li>
              ))}
              {groupsOmitted > 0 && <li className="text-secondary">and {groupsOmitted} more</li>}
            </ul>
          )}
          <Notice>Sessions of users are shown to the users themselves and to admins of their silo.</Notice>
        </Section>
      )}
    </>
  )
}
