import { createFileRoute } from '@tanstack/react-router'
import CircleArrowUp from 'lucide-react/icons/circle-arrow-up'
import { prefetch } from '#/api/query.ts'
import { guides, paths } from '#/lib/addresses.ts'
import { serverNow } from '#/lib/clock.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { RefreshButton } from '#/ui/button/RefreshButton.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import { Components } from './Components.tsx'
import { pollMs, progressOf } from './progress.ts'
import {
  componentsQuery,
  reloadReleases,
  repositoriesQuery,
  statusQuery,
  trustRootsQuery,
  type Status,
} from './queries.ts'
import { Releases } from './Releases.tsx'
import { RollOut } from './RollOut.tsx'
import { TrustRoots } from './TrustRoots.tsx'

export const Route = createFileRoute('/_auth/system/update')({
  loader: () => prefetch(statusQuery(), repositoriesQuery(), trustRootsQuery(), componentsQuery()),
  staticData: { crumb: { label: 'System Update', to: () => paths.systemUpdate } },
  component: SystemUpdate,
})

function SystemUpdate() {
  const status = useLoaded({
    ...statusQuery(),
    refetchInterval: ({ state }) => (state.data ? pollMs(state.data, serverNow()) : false),
  })
  const { items } = useLoaded(repositoriesQuery())
  return (
    <>
      <PageHeader icon={<CircleArrowUp />} title="System Update">
        <RefreshButton onRefresh={reloadReleases} />
        <DocsPopover
          topic="system update"
          icon={<CircleArrowUp />}
          summary="A release is installed on all components of the rack, one sled or switch at a time. Instances are moved to other sleds first."
          links={[guides.systemUpdate]}
        />
      </PageHeader>
      <div className="space-y-6">
        <PropertiesTable properties={propertiesOf(status)} />
        <RollOut status={status} />
        <Releases repositories={items} target={status.targetRelease?.version} />
        <Components />
        <TrustRoots />
      </div>
    </>
  )
}

const withTip = (text: string, tip: string) => (
  <span className="inline-flex items-center gap-1.5">
    {text}
    <TipIcon>{tip}</TipIcon>
  </span>
)

function propertiesOf(status: Status) {
  const { targetRelease, timeLastStepPlanned, suspended } = status
  const progress = progressOf(status)
  return [
    { label: 'Target release', value: targetRelease?.version },
    { label: 'Target set', value: targetRelease && <DateTime date={targetRelease.timeRequested} /> },
    {
      label: 'Progress',
      value:
        progress &&
        withTip(
          `${progress.percent}% (${progress.current} of ${progress.total})`,
          'The share of components that have the target release.',
        ),
    },
    {
      label: 'Last step planned',
      value: timeLastStepPlanned.getTime() > 0 && (
        <span className="inline-flex items-center gap-1.5">
          <DateTime date={timeLastStepPlanned} />
          <TipIcon>
            When the update last decided what to do next. A long time ago can mean that it waits.
          </TipIcon>
        </span>
      ),
    },
    { label: 'Suspended', value: suspended ? 'Yes' : 'No' },
  ]
}
