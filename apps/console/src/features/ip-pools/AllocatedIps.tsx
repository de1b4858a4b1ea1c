import { useQuery } from '@tanstack/react-query'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Percent } from '#/ui/value/Percent.tsx'
import { utilizationQuery } from './operatorQueries.ts'

/** How many addresses are given out, with a small bar; a dash for a pool without any. */
export function AllocatedIps({ pool }: { pool: string }) {
  const { data, isPending } = useQuery({ ...utilizationQuery(pool), throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-40" />
  if (!data) return <span className="text-secondary">unknown</span>
  const { capacity, remaining } = data
  if (capacity === 0) return <Dash />
  const used = Math.max(0, capacity - remaining)
  return (
    <span className="inline-flex items-center gap-2 whitespace-nowrap">
      <span
        role="meter"
        aria-label="Allocated"
        aria-valuemin={0}
        aria-valuemax={capacity}
        aria-valuenow={used}
        className="h-2 w-16 shrink-0 overflow-hidden rounded-[2px] border border-line bg-sunken"
      >
        <span className="block h-full bg-accent" style={{ width: `${(100 * used) / capacity}%` }} />
      </span>
      <span className="mono">
        <Percent part={used} whole={capacity} />
      </span>
      <span className="mono">
        <BigNum value={used} /> <span className="text-secondary">of </span>
        <BigNum value={capacity} className="text-secondary" /> <span className="text-secondary">IPs</span>
      </span>
    </span>
  )
}
