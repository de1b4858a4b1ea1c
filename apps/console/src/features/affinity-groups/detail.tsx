import { createFileRoute, Outlet, useNavigate } from '@tanstack/react-router'
import Split from 'lucide-react/icons/split'
import { limits } from '@purlin/contract/rules/limits'
import { loadOrKeep, prefetch } from '#/api/query.ts'
import { membersQuery } from './queries.ts'
import { PolicyBadge } from './PolicyBadge.tsx'
import { viewQuery } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { sections } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { ageProperty, descriptionProperty, identityProperties } from '#/ui/value/PropertiesTable.tsx'
import { inLine, Summary } from '#/ui/value/Summary.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { affinityDocs, groupActions } from './actions.tsx'
import { MembersCard } from './MembersCard.tsx'

export const Route = createFileRoute(
  '/_auth/projects/$project/_in/_affinity-groups/affinity/$antiAffinityGroup',
)({
  loader: ({ params, cause }) =>
    Promise.all([
      loadOrKeep(cause, viewQuery(kinds.antiAffinityGroup, params.antiAffinityGroup, params)),
      prefetch(membersQuery(params)),
    ]),
  staticData: {
    crumb: {
      label: (params) => params['antiAffinityGroup'] ?? '',
      to: (params) =>
        sections.antiAffinityGroup.view({
          project: params['project'],
          name: params['antiAffinityGroup'] ?? '',
        }),
    },
  },
  component: GroupPage,
})

function GroupPage() {
  const target = Route.useParams()
  const navigate = useNavigate()
  const group = useLoaded(viewQuery(kinds.antiAffinityGroup, target.antiAffinityGroup, target))
  const members = useLoaded(membersQuery(target)).items
  const leave = () => navigate({ href: sections.antiAffinityGroup.list(target.project) })
  const menu = useActions(groupActions(target.project, leave), target).menu(group)
  useMenuInPalette(menu, group)
  return (
    <>
      <PageHeader icon={<Split />} title={group.name}>
        <DocsPopover topic="anti-affinity groups" {...affinityDocs} icon={<Split />} />
        <PageMenu label="Anti-affinity group actions" items={menu} />
      </PageHeader>
      <Summary
        main={[
          { label: 'type', value: <Badge>anti-affinity</Badge> },
          { label: 'Policy', value: <PolicyBadge policy={group.policy} /> },
          {
            label: 'Members',
            value: (
              <span>
                <span className="mono">{members.length}</span>{' '}
                <span className="text-secondary">of up to {limits.affinity.members}</span>
              </span>
            ),
          },
          ageProperty(group.timeCreated),
          descriptionProperty(group.description, inLine),
        ]}
        rest={[
          ...tagsProperty(group, sections.antiAffinityGroup.list(target.project)),
          ...identityProperties(group),
        ]}
      />
      <MembersCard target={target} />
      <Outlet />
    </>
  )
}
