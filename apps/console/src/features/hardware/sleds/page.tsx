import { createFileRoute, Outlet } from '@tanstack/react-router'
import { paths, type SledTab } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { Tabs } from '#/ui/layout/Tabs.tsx'
import { loadById, sled } from '../kinds.ts'
import { sledPageActions } from '../parts/actions.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { JoinedHost } from '../parts/JoinedHost.tsx'
import { LifeBadge, PolicyBadge, ProvisionBadge } from '../parts/States.tsx'
import { useRelease } from '../parts/restarting.ts'
import { serialCrumb } from '../serialCrumb.ts'

export const Route = createFileRoute('/_auth/system/inventory/_sled-pages/sleds/$sledId')({
  loader: async ({ params }) => ({ serial: (await loadById(sled, params.sledId)).baseboard.serial }),
  staticData: serialCrumb('sledId', (id) => paths.sledTab(id, 'instances')),
  component: SledPage,
})

const { icon: Icon } = sled
const tabs: readonly [string, SledTab][] = [
  ['Instances', 'instances'],
  ['Disks', 'disks'],
  ['Metrics', 'metrics'],
  ['Host', 'host'],
  ['Maintenance', 'maintenance'],
]

function SledPage() {
  const { sledId } = Route.useParams()
  const one = useLoaded(viewQuery(sled, sledId))
  const { menu, dialog } = useActions(sledPageActions, {}, roleScope(sled, {}))
  const items = menu(one)
  useMenuInPalette(items)
  const { baseboard, missingSince } = one
  const release = useRelease(one)
  return (
    <>
      <PageHeader icon={<Icon />} title={`Sled ${baseboard.serial}`}>
        <PageMenu label="Sled actions" items={items} />
      </PageHeader>
      {release && (
        <Notice title={`This sled restarts with release ${release}`} className="mb-4">
          It answers again once that has ended. No new instances start on it until then.
        </Notice>
      )}
      {missingSince && !release && (
        <Notice tone="danger" title="This sled does not answer" className="mb-4">
          It is missing since <DateTime date={missingSince} />. No new instances start on it.{' '}
          {one.joinedHost
            ? 'Check the machine of its host, the host process there, and the network between it and the servers.'
            : 'Check its power and its links.'}
        </Notice>
      )}
      <Summary
        main={[
          { label: 'State', value: <LifeBadge {...one} /> },
          { label: 'Policy kind', value: <PolicyBadge kind={one.policy.kind} /> },
          { label: 'Provision policy', value: <ProvisionBadge policy={one.policy} /> },
          { label: 'Serial', value: <span className="mono">{baseboard.serial}</span> },
          { label: 'Host', value: <JoinedHost {...one} /> },
          { label: 'Rack', value: <HardwareLink kind="rack" id={one.rackId} /> },
          {
            label: 'Usable',
            value: (
              <span>
                <span className="mono">{one.usableHardwareThreads}</span> threads,{' '}
                <Size bytes={one.usablePhysicalRam} />
              </span>
            ),
          },
        ]}
        rest={[
          {
            label: 'Sled ID',
            value: <Truncate text={one.id} max={32} at="middle" copyable className="mono" />,
          },
          { label: 'Part', value: <span className="mono">{baseboard.part}</span> },
          { label: 'Revision', value: <span className="mono">{baseboard.revision}</span> },
        ]}
      />
      <Tabs
        label="Sled"
        className="mt-6"
        tabs={tabs.map(([label, tab]) => ({ label, href: paths.sledTab(sledId, tab) }))}
      >
        <Outlet />
      </Tabs>
      {dialog}
    </>
  )
}
