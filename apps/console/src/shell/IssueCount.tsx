import { attentionList } from '@purlin/contract/operations/hardware/capacity'
import { useQuery } from '@tanstack/react-query'
import { query } from '#/api/query.ts'
import { Badge } from '#/ui/value/Badge.tsx'

const most = 100
const pollMs = 60_000

/** How many issues there are, next to the entry of the sidebar; nothing while there are none. */
export function IssueCount() {
  const { data } = useQuery({
    ...query(attentionList, { query: { limit: most } }),
    throwOnError: false,
    refetchInterval: pollMs,
  })
  if (!data || data.items.length === 0) return null
  const isCritical = data.items.some(({ severity }) => severity === 'critical')
  return (
    <Badge tone={isCritical ? 'danger' : 'busy'} pulsing={false} className="ml-auto">
      {data.items.length}
      {data.nextPage && '+'}
    </Badge>
  )
}
