import { pageOf } from '#/resource/address/pageOf.ts'
import { useQuery } from '@tanstack/react-query'
import { kinds } from '#/resource/kinds.ts'
import { nameQuery, nameStaleMs } from '#/resource/form/names.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'

/** The router of a subnet, as a link to it. */
export function CustomRouter({ id, scope }: { id: string | null | undefined; scope: Scope }) {
  const { data, isPending } = useQuery({
    ...nameQuery(kinds.vpcRouter, id ?? ''),
    staleTime: nameStaleMs,
    enabled: Boolean(id),
    throwOnError: false,
  })
  if (!id) return <Dash />
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (data === null) return <Badge>Deleted</Badge>
  if (!data) return <span className="text-secondary">unknown</span>
  return <TextLink href={pageOf('vpcRouter', { ...scope, name: data.name })}>{data.name}</TextLink>
}
