import { useQuery } from '@tanstack/react-query'
import { reachableIps } from '../../../../../parts/instance/externalIps.ts'
import type { InstanceTarget } from '../../../../../parts/instance/update.ts'
import { CopyButton } from '../../../../../ui/CopyButton.tsx'
import { Dash } from '../../../../../ui/PropertiesTable.tsx'
import { Skeleton } from '../../../../../ui/Skeleton.tsx'
import { MoreCell } from '../../../../../ui/table/MoreCell.tsx'
import { externalIpsQuery } from './queries.ts'

/** The addresses an instance answers at: two in full, the rest behind '+N'. */
export function ExternalIps({ target }: { target: InstanceTarget }) {
  const { data, isPending } = useQuery({ ...externalIpsQuery(target), throwOnError: false })
  if (isPending) return <Skeleton className="h-3 w-28" />
  const [first, second, ...rest] = reachableIps(data?.items ?? [])
  if (first === undefined) return <Dash />
  return (
    <span className="mono inline-flex flex-wrap items-center gap-x-2">
      <Address ip={first} />
      {second !== undefined && (
        <>
          <span aria-hidden className="text-tertiary">
            /
          </span>
          <MoreCell title="Other external IPs" items={[<Address key={second} ip={second} />, ...rest]} />
        </>
      )}
    </span>
  )
}

function Address({ ip }: { ip: string }) {
  return (
    <span className="inline-flex items-center gap-1">
      {ip}
      <CopyButton text={ip} label={`Copy ${ip}`} />
    </span>
  )
}
