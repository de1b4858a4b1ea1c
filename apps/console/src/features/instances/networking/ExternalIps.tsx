import { useQuery } from '@tanstack/react-query'
import { reachableIps } from '#/features/external-ips/externalIps.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { Address } from '#/ui/value/Address.tsx'
import { paths } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { externalIpsQuery } from '../queries.ts'

/** The addresses an instance answers at: two in full, a link to the Networking tab for the rest. */
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
          <Address ip={second} />
        </>
      )}
      {rest.length > 0 && (
        <TextLink
          href={paths.instanceTab(target, 'networking')}
          className="px-2"
          aria-label={`${rest.length} more external IPs`}
        >
          …
        </TextLink>
      )}
    </span>
  )
}
