/** The cells of the list with further data of a gateway. They load after the row. */
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import type { Read } from '#/api/query.ts'
import { PoolName } from '#/features/ip-pools/PoolName.tsx'
import { sections, type Scope } from '#/lib/addresses.ts'
import { Address } from '#/ui/value/Address.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { attachedAddresses, attachedPools, useRoutesTo, type Gateway } from './queries.ts'

/** Further data of a gateway; undefined as in the list of VPCs: in a search, and from other servers. */
interface Of {
  gateway: Pick<Gateway, 'id' | 'name' | 'attached'>
}

export const PoolCell = ({ gateway: { id, attached } }: Of) => {
  if (!attached)
    return <LoadedFirst of={attachedPools(id)}>{({ ipPoolId }) => <PoolName id={ipPoolId} />}</LoadedFirst>
  const { ipPoolId, totalIpPools } = attached
  return <First total={totalIpPools}>{ipPoolId !== null && <PoolName id={ipPoolId} />}</First>
}

export const AddressCell = ({ gateway: { id, attached } }: Of) => {
  if (!attached)
    return <LoadedFirst of={attachedAddresses(id)}>{({ address }) => <Address ip={address} />}</LoadedFirst>
  const { address, totalIpAddresses } = attached
  return <First total={totalIpAddresses}>{address !== null && <Address ip={address} />}</First>
}

/** The first row of a list that is read on demand. */
function LoadedFirst<T>({ of, children }: { of: Read<T[]>; children: (first: T) => ReactNode }) {
  const { data, isPending } = useQuery({ ...of, throwOnError: false })
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  const [first] = data
  return <First total={data.length}>{first !== undefined && children(first)}</First>
}

/** The first of several, and how many more there are. */
function First({ total, children }: { total: number; children: ReactNode }) {
  if (total === 0) return <Dash />
  return (
    <span className="inline-flex items-center gap-1.5">
      {children}
      {total > 1 && <span className="mono text-secondary">+{total - 1}</span>}
    </span>
  )
}

export function RouteCountCell({ gateway: { name, attached }, scope }: Of & { scope: Scope }) {
  const href = sections.internetGateway.view({ ...scope, name })
  if (!attached) return <LoadedRouteCount name={name} scope={scope} href={href} />
  return <RouteCount total={attached.totalRoutes} href={href} />
}

function LoadedRouteCount({ name, scope, href }: { name: string; scope: Scope; href: string }) {
  const { project = '', vpc = '' } = scope
  const { routes, isPending } = useRoutesTo({ project, vpc }, name)
  if (isPending) return <Skeleton className="h-2.5 w-4 align-middle" />
  if (!routes) return <span className="text-secondary">unknown</span>
  return <RouteCount total={routes.length} href={href} />
}

function RouteCount({ total, href }: { total: number; href: string }) {
  if (total === 0) return <Dash />
  return (
    <TextLink href={href} className="mono">
      {total}
    </TextLink>
  )
}
