import { quotaLevel } from '@purlin/contract/rules/quotas'
import Cpu from 'lucide-react/icons/cpu'
import HardDrive from 'lucide-react/icons/hard-drive'
import MemoryStick from 'lucide-react/icons/memory-stick'
import { errorMessage } from '#/api/errors.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CapacityBar, CapacityBarLoading } from '#/ui/value/CapacityBar.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { amountOf, isHardwareShort, leftText, type Resource, type Utilization } from './quota.ts'

const bars = [
  { key: 'cpus', title: 'CPU', unit: 'vCPUs', Icon: Cpu },
  { key: 'memory', title: 'Memory', unit: 'bytes', Icon: MemoryStick },
  { key: 'storage', title: 'Storage', unit: 'bytes', Icon: HardDrive },
] as const satisfies readonly { key: Resource; [more: string]: unknown }[]

export interface QuotaBarsProps {
  /** Undefined while it is not known. */
  use: Utilization | undefined
  error: Error | null
  retry: () => void
  usedLabel?: string
  totalLabel?: string
  /** The use that is shared with others, of which `use` has the own part. */
  ofAll?: Utilization['provisioned'] | undefined
}

/** The use of CPU, memory and storage, and the quotas. */
export function QuotaBars({
  use,
  error,
  retry,
  usedLabel = 'Provisioned',
  totalLabel = 'Quota',
  ofAll = use?.provisioned,
}: QuotaBarsProps) {
  if (error && !use)
    return (
      <Notice tone="danger" title="Could not load the utilization">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={retry}>Try again</Button>
      </Notice>
    )
  const short = use ? bars.filter(({ key }) => isHardwareShort(use, key)) : []
  return (
    <>
      {use && short.length > 0 && (
        <Notice title="The hardware has less room than the quota leaves" className="mb-3">
          {short.map(({ key }) => leftText(use, key)).join(' ')}
        </Notice>
      )}
      <div className="grid gap-3 frame:grid-cols-3">
        {bars.map(({ key, title, unit, Icon }) =>
          use ? (
            <CapacityBar
              key={key}
              icon={<Icon />}
              title={title}
              unit={unit}
              used={use.provisioned[key]}
              total={Number(use.capacity[key])}
              reserved={(ofAll?.[key] ?? 0) - use.provisioned[key]}
              none={`no ${totalLabel.toLowerCase()}`}
              usedLabel={usedLabel}
              totalLabel={totalLabel}
              level={quotaLevel(ofAll?.[key] ?? 0, Number(use.capacity[key]))}
            />
          ) : (
            <CapacityBarLoading key={key} />
          ),
        )}
      </div>
      {use?.placeable && use.largest && (
        <p className="mt-3 text-secondary">
          Free for new instances, by quota and hardware: {sizeText(use.placeable)}. The largest that can start
          now has {sizeText(use.largest)}.
          {use.placeable.storage !== undefined &&
            ` Free for disks and snapshots: ${amountOf('storage', use.placeable.storage)}.`}
        </p>
      )}
    </>
  )
}

const sizeText = ({ cpus, memory }: { cpus: number; memory: number }) =>
  `${amountOf('cpus', cpus)} and ${amountOf('memory', memory)}`
