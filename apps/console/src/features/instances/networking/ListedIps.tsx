import { useQuery } from '@tanstack/react-query'
import { createSemaphore } from '@purlin/contract/semaphore'
import { reachableIps, type ExternalIp } from '#/features/external-ips/externalIps.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { Address } from '#/ui/value/Address.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { MoreCell } from '#/ui/table/MoreCell.tsx'
import { useSeen } from '#/ui/layout/useSeen.ts'
import { externalIpsQuery } from '../queries.ts'

// Every row sends a request; other requests must not wait for them.
const limit = createSemaphore({ running: 4 })
const minute = 60_000

const waiting = <Skeleton className="h-2.5 w-24 align-middle" />

interface ListedIpsProps {
  target: InstanceTarget
  /** Undefined where the list does not have them: in a search, and from servers that know the original API only. */
  known: readonly ExternalIp[] | undefined
}

/** The addresses an instance in a list answers at. */
export const ListedIps = ({ target, known }: ListedIpsProps) =>
  known ? <Ips ips={known} /> : <LazyIps target={target} />

/** Only rows in view ask; without an answer the row still stands. */
function LazyIps({ target }: Pick<ListedIpsProps, 'target'>) {
  const { ref, isSeen } = useSeen<HTMLSpanElement>()
  return isSeen ? <LoadedIps target={target} /> : <span ref={ref}>{waiting}</span>
}

function LoadedIps({ target }: { target: InstanceTarget }) {
  const read = externalIpsQuery(target)
  const { data, isPending } = useQuery({
    ...read,
    queryFn: (context) => limit(() => read.queryFn(context)),
    staleTime: minute,
    throwOnError: false,
  })
  return isPending ? waiting : <Ips ips={data?.items ?? []} />
}

function Ips({ ips }: { ips: readonly ExternalIp[] }) {
  const [first, ...rest] = reachableIps(ips)
  if (first === undefined) return <Dash />
  return <MoreCell title="Other external IPs" items={[<Address key={first} ip={first} />, ...rest]} />
}
