import { quotaLevel } from '@purlin/contract/rules/quotas'
import { useQuery } from '@tanstack/react-query'
import Cpu from 'lucide-react/icons/cpu'
import HardDrive from 'lucide-react/icons/hard-drive'
import MemoryStick from 'lucide-react/icons/memory-stick'
import { capacityView } from '@purlin/contract/operations/hardware/capacity'
import { errorMessage } from '#/api/errors.ts'
import { query } from '#/api/query.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CapacityBar, CapacityBarLoading } from '#/ui/value/CapacityBar.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import type { Sled } from '../kinds.ts'

export type Capacity = NonNullable<Sled['capacity']>

const bars = [
  { key: 'threads', title: 'Hardware threads', unit: undefined, Icon: Cpu },
  { key: 'memory', title: 'Memory', unit: 'bytes', Icon: MemoryStick },
  { key: 'storage', title: 'Storage', unit: 'bytes', Icon: HardDrive },
] as const satisfies readonly { key: keyof Capacity; [more: string]: unknown }[]

/** How much of each resource is reserved for instances. */
export const CapacityBars = ({ capacity }: { capacity: Capacity | undefined }) => (
  <div className="grid gap-3 frame:grid-cols-3">
    {bars.map(({ key, title, unit, Icon }) =>
      capacity ? (
        <CapacityBar
          key={key}
          icon={<Icon />}
          title={title}
          {...(unit ? { unit } : {})}
          used={capacity[key].reserved}
          total={capacity[key].usable}
          usedLabel="Reserved"
          totalLabel="Usable"
          level={quotaLevel(capacity[key].reserved, capacity[key].usable)}
        />
      ) : (
        <CapacityBarLoading key={key} />
      ),
    )}
  </div>
)

/** The resources of all sleds that answer and are in service. */
export function FleetCapacity() {
  const { data, error, refetch } = useQuery({ ...query(capacityView, {}), throwOnError: false })
  if (error && !data)
    return (
      <Notice tone="danger" title="Could not load the capacity of the fleet">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Notice>
    )
  return <CapacityBars capacity={data} />
}

/** The sum over sleds, without missing ones. */
export function capacityOf(sleds: readonly Sled[]): Capacity {
  const known = sleds.flatMap(({ capacity, missingSince }) => (capacity && !missingSince ? [capacity] : []))
  const sum = (key: keyof Capacity) => ({
    usable: known.reduce((total, one) => total + one[key].usable, 0),
    reserved: known.reduce((total, one) => total + one[key].reserved, 0),
    used: null,
  })
  return { threads: sum('threads'), memory: sum('memory'), storage: sum('storage') }
}
