import { paths, sections, type Scope } from '#/lib/addresses.ts'
import { Badge } from '#/ui/Badge.tsx'
import { TextLink } from '#/ui/link.tsx'
import type { Route } from './queries.ts'

type End = Route['destination'] | Route['target']

/** What a type of destination or target is called. */
export const endWords: Record<End['type'], string> = {
  ip: 'IP',
  ip_net: 'IP network',
  instance: 'Instance',
  internet_gateway: 'Gateway',
  subnet: 'VPC subnet',
  vpc: 'VPC',
  drop: 'Drop',
}

/** A destination or target: its type, and its value as a link where that is a resource with a page. */
export function RouteEnd({ end, scope }: { end: End; scope: Scope }) {
  if (end.type === 'drop') return <Badge>{endWords.drop}</Badge>
  const href = hrefOf(end, scope)
  return (
    <span className="inline-flex items-center gap-1.5">
      <Badge>{endWords[end.type]}</Badge>
      {href ? <TextLink href={href}>{end.value}</TextLink> : <span className="mono">{end.value}</span>}
    </span>
  )
}

function hrefOf(end: Exclude<End, { type: 'drop' }>, scope: Scope): string | undefined {
  const { project = '' } = scope
  switch (end.type) {
    case 'instance':
      return paths.instanceTab({ project, instance: end.value }, 'networking')
    case 'internet_gateway':
      return sections.internetGateway.view({ ...scope, name: end.value })
    case 'subnet':
      return sections.vpcSubnet.edit({ ...scope, name: end.value })
    case 'vpc':
      return paths.vpcTab({ project, vpc: end.value }, 'firewall-rules')
    default:
      return undefined
  }
}
