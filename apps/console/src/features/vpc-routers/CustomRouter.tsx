import { useQuery } from '@tanstack/react-query'
import { hrefOf, kinds } from '#/resource/kinds.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Badge } from '#/ui/Badge.tsx'
import { TextLink } from '#/ui/link.tsx'
import { Dash } from '#/ui/PropertiesTable.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { routersQuery } from './queries.ts'

/** The router of a subnet, as a link to it. One request answers for all subnets of a VPC. */
export function CustomRouter({ id, scope }: { id: string | null | undefined; scope: Scope }) {
  const { project = '', vpc = '' } = scope
  const { data, isPending } = useQuery({ ...routersQuery({ project, vpc }), throwOnError: false })
  if (!id) return <Dash />
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  const router = data.find((one) => one.id === id)
  if (!router) return <Badge>Deleted</Badge>
  return <TextLink href={hrefOf(kinds.vpcRouter, router.name, scope)}>{router.name}</TextLink>
}
