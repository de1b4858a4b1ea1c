import { useQuery } from '@tanstack/react-query'
import { reachabilityQuery } from '#/features/instances/queries.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { PropertiesTable } from '#/ui/value/PropertiesTable.tsx'
import type { InstanceOf } from './externalIpActions.tsx'

/** Whether the instance reaches the outside and can be reached from there, and why not. */
export function Reachability({ target, instance }: InstanceOf) {
  // Other servers do not know it, and the tab is complete without it.
  const { data } = useQuery({ ...reachabilityQuery(target), throwOnError: false })
  if (!data) return null
  const runs = instance.runState === 'running'
  const verdict = ({ result, text }: typeof data.outbound | typeof data.inbound) => (
    <span className="flex flex-wrap items-baseline gap-x-2.5 gap-y-1">
      <Badge tone={result === 'pass' ? 'ok' : 'idle'} dot>
        {result === 'pass' ? 'Open' : 'Closed'}
      </Badge>
      <span className="min-w-0 wrap-anywhere">
        {!runs && 'Once it is running: '}
        {text}
      </span>
    </span>
  )
  return (
    <PropertiesTable
      columns={1}
      properties={[
        { label: 'To outside', value: verdict(data.outbound) },
        { label: 'From outside', value: verdict(data.inbound) },
      ]}
    />
  )
}
