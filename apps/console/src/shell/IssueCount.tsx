import { useQuery } from '@tanstack/react-query'
import { Badge } from '#/ui/value/Badge.tsx'
import { openIssues } from './notices/openIssues.ts'

/** How many issues there are, next to the entry of the sidebar; nothing while there are none. */
export function IssueCount() {
  const { data } = useQuery(openIssues())
  if (!data || data.items.length === 0) return null
  const isCritical = data.items.some(({ severity }) => severity === 'critical')
  return (
    <Badge tone={isCritical ? 'danger' : 'busy'} pulsing={false} className="ml-auto">
      {data.items.length}
      {data.nextPage && '+'}
    </Badge>
  )
}
