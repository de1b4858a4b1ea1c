import { useQuery } from '@tanstack/react-query'
import { createFileRoute } from '@tanstack/react-router'
import { prefetch } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { useActions, useMenuInPalette } from '#/resource/actions/actions.tsx'
import { roleScope, viewQuery } from '#/resource/kind.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { pagingSearch } from '#/resource/list/paging.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { PageMenu } from '#/ui/overlay/PageMenu.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { idProperty } from '#/ui/value/PropertiesTable.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { loadById, physicalDisk, sled, type PhysicalDisk } from '../kinds.ts'
import { diskPageActions } from '../parts/actions.tsx'
import { HardwareLink } from '../parts/columns.tsx'
import { formFactorWords, wearOf } from '../parts/diskColumns.tsx'
import { InstancesOn, instancesOn } from '../parts/InstancesOn.tsx'
import { HealthBadge, LifeBadge, PolicyBadge } from '../parts/States.tsx'
import { celsiusText } from '../parts/words.ts'
import { serialCrumb } from '../serialCrumb.ts'

export const Route = createFileRoute('/_auth/system/inventory/_disk-pages/disks/$diskId')({
  validateSearch: pagingSearch,
  loaderDeps: ({ search }) => search,
  loader: async ({ params, deps }) => {
    const disk = await loadById(physicalDisk, params.diskId)
    const { sledId } = disk
    if (sledId) await prefetch(instancesOn(sledId, deps), viewQuery(sled, sledId))
    return { serial: disk.serial }
  },
  staticData: serialCrumb('diskId', (name) => sections.physicalDisk.view({ name })),
  component: DiskPage,
})

const { icon: Icon } = physicalDisk

function DiskPage() {
  const disk = useLoaded(viewQuery(physicalDisk, Route.useParams().diskId))
  const search = Route.useSearch()
  const { menu, dialog } = useActions(diskPageActions, {}, roleScope(physicalDisk, {}))
  const items = menu(disk)
  useMenuInPalette(items)
  return (
    <>
      <PageHeader icon={<Icon />} title={`Physical disk ${disk.serial}`}>
        <PageMenu label="Disk actions" items={items} />
      </PageHeader>
      <DiskNotice disk={disk} />
      <DiskProperties disk={disk} />
      {disk.sledId && (
        <section className="mt-8 flex grow flex-col">
          <h2 className="text-lg font-semibold">Instances on its sled</h2>
          <p className="mt-1 mb-3 text-secondary">
            A failure of the disk can affect these instances, because they run on its sled.
          </p>
          <InstancesOn sledId={disk.sledId} search={search} />
        </section>
      )}
      {dialog}
    </>
  )
}

/** Says first that a disk does not answer or fails, and why. */
function DiskNotice({ disk: { policy, missingSince, health, healthReason } }: { disk: PhysicalDisk }) {
  if (policy.kind === 'expunged') return null
  if (missingSince)
    return (
      <Notice tone="danger" title="This disk does not answer" className="mb-4">
        It is missing since <DateTime date={missingSince} />. If its sled answers, check whether the disk is
        still in its slot.
      </Notice>
    )
  if (!health || health === 'ok') return null
  return (
    <Notice
      tone="danger"
      title={health === 'failed' ? 'This disk has failed' : 'This disk is failing'}
      className="mb-4"
    >
      {healthReason ? `It reports: ${healthReason}. ` : ''}
      Move the instances away from its sled, then replace the disk.
    </Notice>
  )
}

function DiskProperties({ disk }: { disk: PhysicalDisk }) {
  const { sledId } = disk
  const holder = useQuery({
    ...viewQuery(sled, sledId ?? ''),
    enabled: Boolean(sledId),
    throwOnError: false,
  }).data
  return (
    <Summary
      main={[
        { label: 'State', value: <LifeBadge {...disk} /> },
        { label: 'Health', value: <HealthBadge {...disk} /> },
        { label: 'Policy', value: <PolicyBadge kind={disk.policy.kind} /> },
        { label: 'Size', value: typeof disk.size === 'number' ? <Size bytes={disk.size} /> : undefined },
        { label: 'Wear', value: wearOf(disk) },
        {
          label: 'Temperature',
          value: typeof disk.temperature === 'number' ? celsiusText(disk.temperature) : undefined,
        },
        {
          label: 'Sled',
          value: sledId && <HardwareLink kind="sled" id={sledId} label={holder?.baseboard.serial} />,
        },
        { label: 'Last report', value: disk.timeReported && <RelativeTime date={disk.timeReported} /> },
      ]}
      rest={[
        { label: 'Vendor', value: disk.vendor },
        { label: 'Model', value: <span className="mono">{disk.model}</span> },
        { label: 'Serial', value: <span className="mono">{disk.serial}</span> },
        { label: 'Form factor', value: <Badge>{formFactorWords[disk.formFactor]}</Badge> },
        { label: 'Last report', value: disk.timeReported && <DateTime date={disk.timeReported} /> },
        { label: 'Added', value: <DateTime date={disk.timeCreated} /> },
        idProperty(disk.id),
      ]}
    />
  )
}
