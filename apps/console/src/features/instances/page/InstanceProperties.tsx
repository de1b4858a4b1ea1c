import { useQuery } from '@tanstack/react-query'
import { acceleratorWords } from '#/lib/accelerators.ts'
import { sections } from '#/lib/addresses.ts'
import type { Instance, InstanceTarget } from '#/features/instance-state/update.ts'
import { InstanceStateBadge } from '#/resource/list/StateBadge.tsx'
import { lazily } from '#/lib/lazily.tsx'
import { Address } from '#/ui/value/Address.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { ageProperty, descriptionProperty, idProperty } from '#/ui/value/PropertiesTable.tsx'
import { tagsProperty } from '#/resource/tags/tagsProperty.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { Summary } from '#/ui/value/Summary.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { AutoRestartPopover } from '../settings/AutoRestartPopover.tsx'
import { ExternalIps } from '../networking/ExternalIps.tsx'
import { Reference } from '#/resource/address/references.tsx'
import { nicsQuery } from '../queries.ts'

// Apart, so that the page does not wait for the code of measurements.
const UseLine = lazily(() => import('../use/UseLine.tsx'), 'UseLine')

const platforms = { amd_milan: 'AMD Milan', amd_turin: 'AMD Turin' }

/** The properties of an instance, without its attachments. */
export function InstanceProperties({ target, instance }: { target: InstanceTarget; instance: Instance }) {
  const { ncpus, memory, runState, timeRunStateUpdated, cpuPlatform, accelerator } = instance
  return (
    <Summary
      main={[
        {
          label: 'state',
          value: (
            <span className="inline-flex flex-wrap items-center gap-2">
              <InstanceStateBadge state={runState} />
              <RelativeTime date={timeRunStateUpdated} caption="Run state updated" />
              {runState === 'failed' && <AutoRestartPopover target={target} instance={instance} />}
            </span>
          ),
        },
        {
          label: 'size',
          value: (
            <span>
              <span className="mono">{ncpus}</span> {ncpus === 1 ? 'vCPU' : 'vCPUs'}, <Size bytes={memory} />
              {accelerator === 'emulation' && ', emulated'}
            </span>
          ),
        },
        ...(runState === 'running'
          ? (['CPU', 'Memory'] as const).map((of) => ({
              label: `${of} use`,
              value: <UseLine of={of} project={target.project} instance={instance} />,
            }))
          : []),
        { label: 'external IPs', value: <ExternalIps target={target} /> },
        { label: 'private IP', value: <PrivateIp target={target} /> },
        { label: 'vpc', value: <VpcName target={target} /> },
        ageProperty(instance.timeCreated),
      ]}
      rest={[
        descriptionProperty(instance.description),
        ...tagsProperty(instance, sections.instance.list(target.project)),
        { label: 'Created', value: <DateTime date={instance.timeCreated} /> },
        idProperty(instance.id),
        { label: 'hostname', value: <Truncate text={instance.hostname} className="mono" /> },
        { label: 'CPU platform', value: cpuPlatform ? platforms[cpuPlatform] : 'Any' },
        { label: 'accelerator', value: accelerator && acceleratorWords[accelerator] },
      ]}
    />
  )
}

/** The primary interface. If it cannot be read, the rest of the page still stands. */
function usePrimaryNic(target: InstanceTarget) {
  const { data, isPending } = useQuery({ ...nicsQuery(target), throwOnError: false })
  return { nic: data?.items.find(({ primary }) => primary), isPending }
}

function PrivateIp({ target }: { target: InstanceTarget }) {
  const { nic, isPending } = usePrimaryNic(target)
  if (isPending) return <Skeleton className="h-3 w-24" />
  return nic ? <Address ip={nic.ip} /> : <Dash />
}

function VpcName({ target }: { target: InstanceTarget }) {
  const { nic, isPending } = usePrimaryNic(target)
  if (isPending) return <Skeleton className="h-3 w-20" />
  return <Reference to="vpc" id={nic?.vpcId} project={target.project} />
}
