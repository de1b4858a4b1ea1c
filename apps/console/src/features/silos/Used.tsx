import { siloUtilizationView } from '@purlin/contract/operations/system-silos'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { Size } from '#/ui/Size.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'

/** What a silo uses of one quota. It comes after the row, and if it cannot be read the row still stands. */
export function Used({ siloId, of }: { siloId: string; of: 'cpus' | 'memory' | 'storage' }) {
  const one = query(siloUtilizationView, { params: { silo: siloId } })
  const { data, isPending } = useQuery({ ...one, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  const show = (amount: number) => (of === 'cpus' ? amount : <Size bytes={amount} />)
  return (
    <span className="mono">
      {show(data.provisioned[of])} <span className="text-secondary">/ {show(data.allocated[of])}</span>
    </span>
  )
}
