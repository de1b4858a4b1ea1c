import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import Split from 'lucide-react/icons/split'
import { limits } from '@purlin/contract/rules/limits'
import { load, prefetch } from '../../../../../api.ts'
import { groupQuery, membersQuery } from '../../../../../parts/affinity/groups.ts'
import { PolicyBadge } from '../../../../../parts/affinity/PolicyBadge.tsx'
import { useLoaded } from '../../../../../parts/instance/useLoaded.ts'
import { paths } from '../../../../../paths.ts'
import { Badge } from '../../../../../ui/Badge.tsx'
import { DateTime } from '../../../../../ui/DateTime.tsx'
import { PageHeader } from '../../../../../ui/PageHeader.tsx'
import { PageMenu } from '../../../../../ui/PageMenu.tsx'
import { descriptionProperty, idProperty, PropertiesTable } from '../../../../../ui/PropertiesTable.tsx'
import { AffinityDocs } from './-AffinityDocs.tsx'
import { useGroupActions } from './-groupActions.tsx'
import { MembersCard } from './-MembersCard.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity/affinity/$antiAffinityGroup')({
  loader: ({ params, cause }) =>
    Promise.all([(cause === 'stay' ? prefetch : load)(groupQuery(params)), prefetch(membersQuery(params))]),
  staticData: {
    crumb: {
      label: (params) => params['antiAffinityGroup'] ?? '',
      to: (params) =>
        paths.antiAffinityGroup({
          project: params['project'] ?? '',
          antiAffinityGroup: params['antiAffinityGroup'] ?? '',
        }),
    },
  },
  component: GroupPage,
})

function GroupPage() {
  const target = Route.useParams()
  const navigate = useNavigate()
  const group = useLoaded(groupQuery(target))
  const members = useLoaded(membersQuery(target)).items
  const actionsOf = useGroupActions(target.project, () => navigate({ href: paths.affinity(target.project) }))
  return (
    <>
      <PageHeader icon={<Split />} title={group.name}>
        <AffinityDocs />
        <PageMenu label="Anti-affinity group actions" items={actionsOf(group)} />
      </PageHeader>
      <PropertiesTable
        properties={[
          { label: 'type', value: <Badge>anti-affinity</Badge> },
          descriptionProperty(group.description),
          { label: 'Policy', value: <PolicyBadge policy={group.policy} /> },
          { label: 'Created', value: <DateTime date={group.timeCreated} /> },
          {
            label: 'Members',
            value: (
              <>
                <span className="mono">{members.length}</span>{' '}
                <span className="text-secondary">of up to {limits.affinity.members}</span>
              </>
            ),
          },
          idProperty(group.id),
        ]}
      />
      <MembersCard target={target} />
      <Outlet />
    </>
  )
}
