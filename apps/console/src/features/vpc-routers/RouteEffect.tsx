import { vpcEffects } from '@purlin/contract/operations/vpc-effects'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Badge } from '#/ui/Badge.tsx'
import { Dash } from '#/ui/PropertiesTable.tsx'
import { Skeleton } from '#/ui/Skeleton.tsx'
import { Tooltip } from '#/ui/Tooltip.tsx'

/** Whether a route has an effect, and why not. One request answers for all routes of a VPC. */
export function RouteEffect({ id, scope: { project = '', vpc = '' } }: { id: string; scope: Scope }) {
  const { data, isPending } = useQuery({
    ...query(vpcEffects, { params: { vpc }, query: { project } }),
    throwOnError: false,
  })
  if (isPending) return <Skeleton className="h-2.5 w-16 align-middle" />
  if (!data) return <Dash />
  const effect = data.routes.find(({ routeId }) => routeId === id)
  if (!effect) return <Badge tone="ok">in effect</Badge>
  return (
    <Tooltip content={effect.text}>
      <button type="button" className="rounded-sm">
        <Badge tone="note">no effect</Badge>
      </button>
    </Tooltip>
  )
}
