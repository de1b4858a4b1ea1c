import { useQuery } from '@tanstack/react-query'
import { BigNum } from '#/ui/value/BigNum.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { utilizationQuery } from './operatorQueries.ts'

/** How many addresses of a pool are free, of how many. It comes after the row, and if it cannot be read the row still stands. */
export function RemainingIps({ poolId }: { poolId: string }) {
  const { data, isPending } = useQuery({ ...utilizationQuery(poolId), throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  return (
    <span className="mono">
      <BigNum value={data.remaining} /> <span className="text-secondary">/</span>{' '}
      <BigNum value={data.capacity} className="text-secondary" />
    </span>
  )
}
