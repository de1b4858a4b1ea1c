/** What a row of the list says beside the gateway itself. It comes after the row, and the row stands without it. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Read } from '#/api/query.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { sections, type Scope } from '#/lib/addresses.ts'
import { Address } from '#/ui/Address.tsx'
import { TextLink } from '#/ui/link.tsx'
import { Dash } from '#/ui/PropertiesTable.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { attachedAddresses, attachedPools, useRoutesTo } from './queries.ts'

export const PoolCell = ({ gateway }: { gateway: string }) => (
  <First of={attachedPools(gateway)}>{({ ipPoolId }) => <PoolName id={ipPoolId} />}</First>
)

export const AddressCell = ({ gateway }: { gateway: string }) => (
  <First of={attachedAddresses(gateway)}>{({ address }) => <Address ip={address} />}</First>
)

/** The first row of a list, and how many more there are. */
function First<T>({ of, children }: { of: Read<T[]>; children: (first: T) => ReactNode }) {
  const { data, isPending } = useQuery({ ...of, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  const [first, ...others] = data
  if (first === undefined) return <Dash />
  return (
    <span className="inline-flex items-center gap-1.5">
      {children(first)}
      {others.length > 0 && <span className="mono text-secondary">+{others.length}</span>}
    </span>
  )
}

export function RouteCountCell({ name, scope }: { name: string; scope: Scope }) {
  const { project = '', vpc = '' } = scope
  const { routes, isPending } = useRoutesTo({ project, vpc }, name)
  if (isPending) return <Skeleton className="h-2.5 w-4 align-middle" />
  if (!routes) return <span className="text-secondary">unknown</span>
  if (routes.length === 0) return <Dash />
  return (
    <TextLink href={sections.internetGateway.view({ ...scope, name })} className="mono">
      {routes.length}
    </TextLink>
  )
}
