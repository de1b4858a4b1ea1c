import { useQuery } from '@tanstack/react-query'
import { paths, type VpcTarget } from '#/lib/addresses.ts'
import { createSemaphore } from '@purlin/contract/semaphore'
import { rulesQuery } from '#/features/firewall-rules/queries.ts'
import { CellLink } from '#/ui/table/CellLink.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

// A list of VPCs requests the rules of each; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })

interface RuleCountProps {
  id: string
  target: VpcTarget
  /** Undefined where the list does not have it: in a search, and from servers that know the original API only. */
  known: number | undefined
}

/** How many firewall rules a VPC has. */
export const RuleCount = ({ known, ...of }: RuleCountProps) =>
  known === undefined ? <LoadedCount {...of} /> : <Count total={known} target={of.target} />

/** It comes after the row, and if it cannot be read the row still stands. */
function LoadedCount({ id, target }: Omit<RuleCountProps, 'known'>) {
  // By id: a row with an old name, still on show after a change, asks for what is there.
  const read = rulesQuery({ vpc: id })
  const queryFn: typeof read.queryFn = (context) => limit(() => read.queryFn(context))
  const { data, isPending } = useQuery({ ...read, queryFn, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-4 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  return <Count total={data.rules.length} target={target} />
}

const Count = ({ total, target }: { total: number; target: VpcTarget }) => (
  <CellLink href={paths.vpcTab(target, 'firewall-rules')}>
    <span className="mono">{total}</span>
    <span className="sr-only"> firewall rules</span>
  </CellLink>
)
