import { siloUtilizationView, type siloList } from '@purlin/contract/operations/silos/system-silos'
import { useQuery } from '@tanstack/react-query'
import type { Item } from '#/api/everyPage.ts'
import { query } from '#/api/query.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { twoDecimals } from '#/lib/format.ts'
import { Size } from '#/ui/value/Size.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

interface UsedProps {
  silo: Item<typeof siloList>
  of: 'cpus' | 'memory' | 'storage'
}

/** The use of one quota by a silo. */
export const Used = ({ silo, of }: UsedProps) =>
  // Not there in a search, and from servers that know the original API only.
  silo.utilization ? <Amounts of={of} use={silo.utilization} /> : <LoadedUse silo={silo} of={of} />

// A list of silos asks for the use of each; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

/** It comes after the row, and if it cannot be read the row still stands. */
function LoadedUse({ silo, of }: UsedProps) {
  const read = query(siloUtilizationView, { params: { silo: silo.id }, query: {} })
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  const { data, isPending } = useQuery({ ...read, queryFn, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  return <Amounts of={of} use={data} />
}

type Use = NonNullable<UsedProps['silo']['utilization']>

function Amounts({ of, use }: { of: UsedProps['of']; use: Use }) {
  const show = (amount: number) => (of === 'cpus' ? twoDecimals(amount) : <Size bytes={amount} />)
  return (
    <span className="mono">
      {show(use.provisioned[of])} <span className="text-secondary">/ {show(Number(use.allocated[of]))}</span>
    </span>
  )
}
