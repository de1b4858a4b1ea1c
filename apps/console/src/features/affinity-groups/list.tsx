import type { antiAffinityGroupList } from '@purlin/contract/operations/instances/affinity-groups'
import { createFileRoute } from '@tanstack/react-router'
import { createdColumn, nameColumn } from '#/resource/list/columns.tsx'
import { kinds } from '#/resource/kinds.ts'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { affinityDocs, groupActions } from './actions.tsx'
import { MemberCount } from './MemberCount.tsx'
import { policyColumn } from './PolicyBadge.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_affinity-groups/_affinity')({
  ...listRoute(kinds.antiAffinityGroup),
  // The crumb is that of the layout around it, which the page of a group has as well.
  staticData: { isList: true },
  loader: (match) => loadList(groups, match),
  component: () => <ResourceList list={groups} />,
})

const groups: ListOf<typeof antiAffinityGroupList> = {
  kind: kinds.antiAffinityGroup,
  label: 'Affinity groups',
  docs: affinityDocs,
  create: { label: 'New group' },
  actions: (project) => groupActions(project),
  columns: (project) => [
    nameColumn(kinds.antiAffinityGroup, { project }),
    { id: 'type', header: 'type', cell: () => <Badge>anti-affinity</Badge> },
    { id: 'instances', header: 'instances', cell: ({ id }) => <MemberCount groupId={id} /> },
    policyColumn,
    createdColumn,
  ],
}
