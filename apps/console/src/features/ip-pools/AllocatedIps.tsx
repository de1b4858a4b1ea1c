import { useQuery } from '@tanstack/react-query'
import { kinds } from '#/resource/kinds.ts'
import { CapacityBar } from '#/ui/value/CapacityBar.tsx'
import { utilizationQuery } from './operatorQueries.ts'

const { icon: Icon } = kinds.ipPool

/** How many addresses are given out; nothing for a pool without any. */
export function AllocatedIps({ pool }: { pool: string }) {
  const { data } = useQuery({ ...utilizationQuery(pool), throwOnError: false })
  if (!data || data.capacity === 0) return null
  const { capacity, remaining } = data
  return (
    <div className="mt-4 max-w-xl">
      <CapacityBar
        icon={<Icon />}
        title="Allocated"
        unit="IPs"
        used={Math.max(0, capacity - remaining)}
        total={capacity}
        usedLabel="Allocated"
        showUnit={false}
      />
    </div>
  )
}
