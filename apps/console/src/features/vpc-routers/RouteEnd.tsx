import { paths, type Scope } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { useRouteEffect } from './RouteEffect.tsx'
import type { Route } from './queries.ts'

type End = Route['destination'] | Route['target']

/** The noun of a type of destination or target. */
export const endWords: Record<End['type'], string> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}

interface RouteEndProps {
  route: Route
  end: 'destination' | 'target'
  scope: Scope
}

/** A destination or target: its type, and its value as a link where that is a resource with a page. */
export function RouteEnd({ route, end: which, scope }: RouteEndProps) {
  const { effect } = useRouteEffect(route.id, scope)
  const end: End = route[which]
  if (end.type === 'drop') return <Badge>{endWords.drop}</Badge>
  const isMissing = effect?.reason === `no_${which}`
  const href = isMissing ? undefined : hrefOf(end, scope)
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge>{endWords[end.type]}</Badge>
      {href ? <TextLink href={href}>{end.value}</TextLink> : <span className="mono">{end.value}</span>}
      {isMissing && <Badge tone="danger">not found</Badge>}
    </span>
  )
}

function hrefOf(end: Exclude<End, { type: 'drop' }>, scope: Scope): string | undefined {
  const { project = '' } = scope
  switch (end.type) {
    case 'instance':
      return paths.instanceTab({ project, instance: end.value }, 'networking')
    case 'internet_gateway':
      return pageOf('internetGateway', { ...scope, name: end.value })
    case 'subnet':
      return pageOf('vpcSubnet', { ...scope, name: end.value })
    case 'vpc':
      return pageOf('vpc', { project, name: end.value })
    default:
      return undefined
  }
}
