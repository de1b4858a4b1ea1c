import { keysOf } from '@purlin/contract/rules/keys'
import { quotaLevel } from '@purlin/contract/rules/quotas'
import { useQuery } from '@tanstack/react-query'
import { paths } from '#/lib/addresses.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { TextLink } from '#/ui/button/link.tsx'
import { leftOf, leftText, ownTrendsQuery, type Resource, type Utilization } from './quota.ts'
import { trendText } from './trend.ts'

const titles: Record<Resource, string> = { cpus: 'CPU', memory: 'Memory', storage: 'Storage' }

/** How near the use of a resource is to the end of what the silo can get: its quota, or the hardware. */
const levelOf = (use: Utilization, key: Resource) =>
  quotaLevel(use.provisioned[key], use.provisioned[key] + leftOf(use, key))

/** The resources of the silo that are nearly used up. */
const scarceIn = (use: Utilization): Resource[] =>
  keysOf(titles).filter((key) => levelOf(use, key) !== 'fine')

const percentUsed = ({ provisioned, capacity }: Utilization, key: Resource): string =>
  Number(capacity[key]) > 0
    ? `${Math.floor((100 * provisioned[key]) / Number(capacity[key]))}% used`
    : 'no quota'

/** The resources of the silo that run out, with what is left. */
export function QuotaRunningOut({
  use,
  error,
}: {
  use: Utilization | undefined
  error?: string | undefined
}) {
  const isScarce = use !== undefined && scarceIn(use).length > 0
  const trends = useQuery({ ...ownTrendsQuery(), enabled: isScarce }).data?.trends
  return (
    <LinesCard
      title="Running out"
      items={use && scarceIn(use)}
      keyOf={(key) => key}
      line={(key) =>
        use && (
          <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
            <span className="font-medium">{titles[key]}</span>
            <Badge tone={levelOf(use, key) === 'critical' ? 'danger' : 'warn'}>{percentUsed(use, key)}</Badge>
            <span className="min-w-0 text-secondary wrap-anywhere">
              {[leftText(use, key), trends && trendText(trends[key], key !== 'cpus')].join(' ').trim()}
            </span>
          </div>
        )
      }
      none="Nothing runs out. The quota of the silo leaves enough of each resource."
      isGood
      error={error}
      footer={<TextLink href={paths.utilization}>Utilization</TextLink>}
    />
  )
}
