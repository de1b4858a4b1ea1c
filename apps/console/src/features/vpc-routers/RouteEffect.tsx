import { vpcEffects } from '@purlin/contract/operations/vpcs/vpc-effects'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import type { Scope } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'

/** The reason why a route has no effect, if it is known. One request answers for all routes of a VPC. */
export function useRouteEffect(id: string, { project = '', vpc = '' }: Scope) {
  const { data, isPending } = useQuery({
    ...query(vpcEffects, { params: { vpc }, query: { project } }),
    throwOnError: false,
  })
  return { isPending, isKnown: data !== undefined, effect: data?.routes.find((one) => one.routeId === id) }
}

/** Whether a route has an effect, and why not. */
export function RouteEffect({ id, scope }: { id: string; scope: Scope }) {
  const { isPending, isKnown, effect } = useRouteEffect(id, scope)
  if (isPending) return <Skeleton className="h-2.5 w-16 align-middle" />
  if (!isKnown) return <Dash />
  if (!effect) return <Badge tone="ok">in effect</Badge>
  return (
    <Tooltip content={effect.text}>
      <button type="button" className="rounded-sm">
        <Badge tone="idle">no effect</Badge>
      </button>
    </Tooltip>
  )
}
