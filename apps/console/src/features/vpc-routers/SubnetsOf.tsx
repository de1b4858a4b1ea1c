import { useQuery } from '@tanstack/react-query'
import { subnetsQuery } from '#/features/vpc-names/queries.ts'
import { sections, type Scope } from '#/lib/addresses.ts'
import { FirstOf } from '#/ui/value/FirstOf.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import type { Router } from '#/features/vpc-names/queries.ts'

/** The subnets that use a router; one request answers for all routers of a VPC. */
export function SubnetsOf({ router, scope }: { router: Pick<Router, 'id' | 'kind'>; scope: Scope }) {
  const { project = '', vpc = '' } = scope
  const { data, isPending } = useQuery({ ...subnetsQuery(project, vpc), throwOnError: false })
  if (router.kind === 'system') return 'All'
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!data) return <span className="text-secondary">unknown</span>
  return (
    <FirstOf
      title="Other subnets"
      cell={(name) => <TextLink href={sections.vpcSubnet.edit({ ...scope, name })}>{name}</TextLink>}
      items={data.filter((one) => one.customRouterId === router.id).map(({ name }) => name)}
    />
  )
}
