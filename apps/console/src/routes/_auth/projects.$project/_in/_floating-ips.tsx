import { floatingIpList } from '@purlin/contract/operations/networks'
import { createFileRoute, Outlet } from '@tanstack/react-router'
import Globe from 'lucide-react/icons/globe'
import { useState } from 'react'
import { prefetch, query } from '../../../../api.ts'
import { GuardedLink } from '../../../../parts/access/GuardedLink.tsx'
import { useProjectRole } from '../../../../parts/access/useProjectRole.ts'
import { DescriptionCell } from '../../../../parts/DescriptionCell.tsx'
import { useGoTo } from '../../../../parts/goTo.ts'
import { InstanceName, prefetchInstanceNames } from '../../../../parts/instance/InstanceName.tsx'
import { Address } from '../../../../parts/network/Address.tsx'
import { PoolName } from '../../../../parts/network/PoolName.tsx'
import { poolsQuery, type FloatingIp } from '../../../../parts/network/reads.ts'
import { listPage } from '../../../../parts/listPage.ts'
import { pagingSearch, lookUpLimit, usePaging } from '../../../../parts/paging.ts'
import { QueryTable } from '../../../../parts/QueryTable.tsx'
import { useQuickActions } from '../../../../parts/quickActions.ts'
import { guides, paths } from '../../../../paths.ts'
import { DateTime } from '../../../../ui/DateTime.tsx'
import { DocsPopover } from '../../../../ui/DocsPopover.tsx'
import { EmptyState } from '../../../../ui/EmptyState.tsx'
import { PageHeader } from '../../../../ui/PageHeader.tsx'
import { Dash } from '../../../../ui/PropertiesTable.tsx'
import { RowMenu } from '../../../../ui/RowMenu.tsx'
import { CellLink } from '../../../../ui/table/CellLink.tsx'
import type { Column } from '../../../../ui/table/columns.ts'
import { AttachToInstanceDialog, floatingIpActions } from './_floating-ips/-actions.tsx'

export const Route = createFileRoute('/_auth/projects/$project/_in/_floating-ips')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: ({ params: { project }, deps }) =>
    Promise.all([
      prefetch(listPage(floatingIpList, { project }, deps), poolsQuery()),
      prefetchInstanceNames(project),
    ]),
  staticData: {
    crumb: { label: 'Floating IPs', to: (params) => paths.floatingIps(params['project'] ?? '') },
  },
  component: FloatingIpsPage,
})

const columns = (project: string): readonly Column<FloatingIp>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: ({ name }) => (
      <CellLink href={paths.floatingIpEdit({ project, floatingIp: name })}>{name}</CellLink>
    ),
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'ip', header: 'IP address', cell: ({ ip }) => <Address ip={ip} /> },
  { id: 'pool', header: 'IP pool', cell: ({ ipPoolId }) => <PoolName id={ipPoolId} /> },
  {
    id: 'instance',
    header: 'Attached to instance',
    cell: ({ instanceId }) =>
      instanceId ? <InstanceName project={project} id={instanceId} tab="networking" /> : <Dash />,
  },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

function FloatingIpsPage() {
  const { project } = Route.useParams()
  const [attaching, setAttaching] = useState<FloatingIp>()
  const refused = useProjectRole(project).lacks('collaborator')
  const list = listPage(floatingIpList, { project }, usePaging().search)
  useQuickActions(
    refused ? [] : [{ label: 'New floating IP', group: 'Actions', href: paths.floatingIpNew(project) }],
  )
  useGoTo({
    group: 'Go to floating IP',
    page: list,
    others: query(floatingIpList, { query: { project, limit: lookUpLimit } }),
    hrefOf: ({ name }) => paths.floatingIpEdit({ project, floatingIp: name }),
  })
  const newFloatingIp = (
    <GuardedLink href={paths.floatingIpNew(project)} refused={refused}>
      New Floating IP
    </GuardedLink>
  )
  return (
    <>
      <PageHeader icon={<Globe />} title="Floating IPs">
        <DocsPopover
          topic="floating IPs"
          icon={<Globe />}
          summary="A floating IP is an address from outside that belongs to the project. It stays when an instance is deleted and can move from one instance to another."
          links={[guides.floatingIps]}
        />
        {newFloatingIp}
      </PageHeader>
      <QueryTable
        label="Floating IPs"
        query={list}
        columns={columns(project)}
        actions={(floatingIp) => (
          <RowMenu items={floatingIpActions(floatingIp, { project, refused, attach: setAttaching })} />
        )}
        empty={
          <EmptyState
            icon={<Globe />}
            title="No floating IPs"
            body="Create a floating IP to see it here"
            action={newFloatingIp}
          />
        }
      />
      <Outlet />
      {attaching && (
        <AttachToInstanceDialog
          project={project}
          floatingIp={attaching}
          onDismiss={() => setAttaching(undefined)}
        />
      )}
    </>
  )
}
