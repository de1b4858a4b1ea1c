import { useQuery } from '@tanstack/react-query'
import { errorMessage } from '#/api/errors.ts'
import { attemptsOf, outcomeOf } from '#/features/alerts/receivers/outcome.ts'
import { LinkedText } from '#/features/issues/SubjectLink.tsx'
import type { Issue } from '#/features/issues/subject.ts'
import { paths } from '#/lib/addresses.ts'
import { pageOf } from '#/resource/address/pageOf.ts'
import { openIssues } from '#/shell/notices/openIssues.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { LinesCard } from '#/ui/layout/LinesCard.tsx'
import { TimedLine } from '#/ui/layout/TimedLine.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { fleetQuery, type FleetOverview } from './queries.ts'
import { isRunningOut } from './runningOut.ts'

type FailedDelivery = FleetOverview['failedDeliveries'][number]
type Problem = { key: string } & ({ of: 'issue'; issue: Issue } | { of: 'delivery'; failed: FailedDelivery })

const most = 10

/** The problems of the fleet: critical issues, alerts that do not reach their receivers, other issues. */
function problemsOf(issues: readonly Issue[], deliveries: readonly FailedDelivery[]): Problem[] {
  const line = (issue: Issue): Problem => ({ key: issue.id, of: 'issue', issue })
  const isCritical = ({ severity }: Issue) => severity === 'critical'
  return [
    ...issues.filter(isCritical).map(line),
    ...deliveries.map((failed): Problem => ({ key: failed.delivery.id, of: 'delivery', failed })),
    ...issues.filter((issue) => !isCritical(issue)).map(line),
  ]
}

/** The problems of the fleet now. */
export function FleetAttention() {
  const issues = useQuery(openIssues())
  const fleet = useQuery(fleetQuery())
  const error = (issues.data ? null : issues.error) ?? (fleet.data ? null : fleet.error)
  const problems =
    issues.data &&
    fleet.data &&
    problemsOf(
      issues.data.items.filter((issue) => !isRunningOut(issue)),
      fleet.data.failedDeliveries,
    )
  const more = problems ? problems.length - most : 0
  const isMore = Boolean(issues.data?.nextPage)
  return (
    <LinesCard
      title="Needs attention"
      items={problems?.slice(0, most)}
      keyOf={({ key }) => key}
      line={(problem) => <ProblemLine problem={problem} />}
      none="Nothing is wrong. All hardware answers, no instance has failed, and alerts reach their receivers."
      isGood
      error={error ? `Could not load the issues: ${errorMessage(error)}` : undefined}
      footer={
        <>
          {more > 0 && `${more.toLocaleString()}${isMore ? ' or more' : ''} others.`}
          <TextLink href={paths.issues}>All issues</TextLink>
          <TextLink href={paths.activeAlerts}>Alerts</TextLink>
        </>
      }
    />
  )
}

function ProblemLine({ problem }: { problem: Problem }) {
  switch (problem.of) {
    case 'issue':
      return <IssueLine issue={problem.issue} />
    case 'delivery':
      return <DeliveryLine failed={problem.failed} />
  }
}

/** A condition, in words, with its subject and since when it holds. */
function IssueLine({ issue: { severity, text, subject, since } }: { issue: Issue }) {
  return (
    <Line tone={severity === 'critical' ? 'danger' : 'busy'} badge={severity} since={since}>
      <LinkedText text={text} subject={subject} />
    </Line>
  )
}

function DeliveryLine({ failed: { receiverName: name, delivery } }: { failed: FailedDelivery }) {
  const last = attemptsOf(delivery.attempts).at(-1)
  return (
    <Line tone="danger" badge="not delivered" since={delivery.timeStarted}>
      The last alert did not reach the receiver{' '}
      <TextLink href={pageOf('alertReceiver', { name })}>{name}</TextLink>
      {last && `. ${outcomeOf(last)}`}
    </Line>
  )
}

function Line({
  tone,
  badge,
  since,
  children,
}: {
  tone: 'danger' | 'busy'
  badge: string
  since: Date
  children: React.ReactNode
}) {
  const mark = (
    <Badge tone={tone} dot pulsing={false}>
      {badge}
    </Badge>
  )
  return (
    <TimedLine badge={mark} date={since} caption="Since">
      {children}
    </TimedLine>
  )
}
