import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { ExpiryBadge } from '#/features/certificates/Expiry.tsx'
import { LinkedText } from '#/features/issues/SubjectLink.tsx'
import type { Issue } from '#/features/issues/subject.ts'
import { trustRootsQuery } from '#/features/update/queries.ts'
import { capacityQuery } from '#/features/utilization/capacity.ts'
import { trendsQuery } from '#/features/utilization/quota.ts'
import { trendText, type Capacity } from '#/features/utilization/trend.ts'
import { paths } from '#/lib/addresses.ts'
import { formatSize, twoDecimals } from '#/lib/format.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { openIssues } from '#/shell/notices/openIssues.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { fleetQuery, type FleetOverview } from './queries.ts'
import { expiringRoots, isFillingQuota, scarceIn, type Scarce } from './runningOut.ts'

type Pool = FleetOverview['scarcePools'][number]
type Certificate = FleetOverview['expiringCertificates'][number]
type Line = { key: string } & (
  | { of: 'capacity'; scarce: Scarce; capacity: Capacity }
  | { of: 'pool'; pool: Pool }
  | { of: 'filling'; issue: Issue }
  | { of: 'certificate'; certificate: Certificate }
  | { of: 'root'; expires: Date }
)

/** The things that run out: the capacity of the fleet, IP pools, quotas of silos, certificates, and trust roots. */
export function FleetRunningOut() {
  const issues = useQuery(openIssues())
  const fleet = useQuery(fleetQuery())
  const capacity = useQuery(capacityQuery())
  const roots = useQuery({ ...trustRootsQuery(), throwOnError: false })
  const all = [issues, fleet, capacity]
  const error = all.find((one) => one.error && !one.data)?.error
  const lines: Line[] | undefined =
    issues.data && fleet.data && capacity.data
      ? [
          ...scarceIn(capacity.data).map((scarce): Line => ({
            key: scarce.key,
            of: 'capacity',
            scarce,
            capacity: capacity.data,
          })),
          ...fleet.data.scarcePools.map((pool): Line => ({ key: pool.id, of: 'pool', pool })),
          ...fleet.data.expiringCertificates.map((certificate): Line => ({
            key: certificate.id,
            of: 'certificate',
            certificate,
          })),
          ...expiringRoots(roots.data?.items ?? []).map(({ id, expires }): Line => ({
            key: id,
            of: 'root',
            expires,
          })),
          ...issues.data.items
            .filter(isFillingQuota)
            .map((issue): Line => ({ key: issue.id, of: 'filling', issue })),
        ]
      : undefined
  return (
    <LinesCard
      title="Running out"
      items={lines}
      keyOf={({ key }) => key}
      line={(line) => <RunningOutLine line={line} />}
      none="Nothing runs out. Capacity, IP pools, quotas and certificates last."
      isGood
      error={error ? `Could not load what runs out: ${errorMessage(error)}` : undefined}
      footer={
        <>
          <TextLink href={`${paths.systemUtilization}?tab=capacity`}>Capacity</TextLink>
          <TextLink href={paths.systemUtilization}>Utilization</TextLink>
        </>
      }
    />
  )
}

const titles: Record<Scarce['key'], string> = {
  threads: 'Hardware threads',
  memory: 'Memory',
  storage: 'Storage',
}
const tones = { fine: 'neutral', warning: 'warn', critical: 'danger' } as const

function RunningOutLine({ line }: { line: Line }) {
  return <div className="flex flex-wrap items-center gap-x-3 gap-y-1">{contentOf(line)}</div>
}

const resourceOf: Readonly<Record<string, 'cpus' | 'memory' | 'storage'>> = {
  vCPUs: 'cpus',
  memory: 'memory',
  storage: 'storage',
}

/** How long the quota of a silo lasts that fills up. */
function QuotaTrend({ of: { id, within } }: { of: Issue['subject'] }) {
  const { data } = useQuery(trendsQuery(id))
  const resource = resourceOf[within ?? '']
  return resource && data?.trends ? trendText(data.trends[resource], resource !== 'cpus') : null
}

function contentOf(line: Line) {
  switch (line.of) {
    case 'capacity': {
      const { key, level, percent, free } = line.scarce
      const left = key === 'threads' ? countOf(Number(twoDecimals(free)), 'thread') : formatSize(free)
      return (
        <>
          <span className="font-medium">{titles[key]}</span>
          <Badge tone={tones[level]}>{percent}% reserved</Badge>
          <span className="text-secondary">
            {left} left. {trendText(line.capacity.trends[key], key !== 'threads')}
          </span>
        </>
      )
    }
    case 'pool': {
      const { name, severity, used, capacity, ...trend } = line.pool
      return (
        <>
          <span className="font-medium wrap-anywhere">
            <TextLink href={pageOf('ipPool', { name })}>{name}</TextLink>
          </span>
          <Badge tone={tones[severity ?? 'fine']}>
            {capacity > 0 ? Math.floor((100 * used) / capacity) : 100}% assigned
          </Badge>
          <span className="text-secondary">
            {countOf(Math.max(0, capacity - used), 'address')} of the pool left. {trendText(trend, false)}
          </span>
        </>
      )
    }
    case 'filling':
      return (
        <>
          <Badge tone={line.issue.severity === 'critical' ? 'danger' : 'warn'}>{line.issue.severity}</Badge>
          <span className="min-w-0 text-secondary wrap-anywhere">
            <LinkedText text={line.issue.text} subject={line.issue.subject} />{' '}
            <QuotaTrend of={line.issue.subject} />
          </span>
        </>
      )
    case 'root':
      return (
        <>
          <span className="font-medium">Trust root</span>
          <ExpiryBadge notAfter={line.expires} />
          <span className="text-secondary">
            Once it has expired, <TextLink href={paths.systemUpdate}>system updates</TextLink> need a newer
            root document of the publisher.
          </span>
        </>
      )
    case 'certificate': {
      const { name, siloName, notAfter } = line.certificate
      return (
        <>
          <span className="font-medium wrap-anywhere">{name}</span>
          <ExpiryBadge notAfter={notAfter} />
          <span className="text-secondary">
            The TLS certificate of silo{' '}
            <TextLink href={pageOf('silo', { name: siloName })}>{siloName}</TextLink>
          </span>
        </>
      )
    }
  }
}
