import { systemUpdatePause, systemUpdateResume } from '@purlin/contract/operations/updates/roll-out'
import { countOf } from '@purlin/contract/rules/kinds'
import { requestTo } from '#/api/request.ts'
import { RequestButton } from '#/resource/command/RequestButton.tsx'
import { useRole } from '#/resource/role/useRole.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { RelativeTime } from '#/ui/value/RelativeTime.tsx'
import { breakdownOf, progressOf } from './progress.ts'
import { reloadStatus, type Status } from './queries.ts'
import { doingWords } from './words.ts'

/** The present step, the next one, and the reason if the update waits. */
export function RollOut({ status }: { status: Status }) {
  const progress = progressOf(status)
  const isDone = progress?.percent === 100 && !status.step
  return (
    <Card
      title="Progress"
      actions={status.targetRelease && !isDone ? <PauseButton status={status} /> : undefined}
    >
      <div className="space-y-3">
        <Breakdown status={status} />
        {status.targetRelease && !isDone && <Steps status={status} />}
        {status.suspended && (
          <Notice title="Updates are suspended">
            Support has changed the software of a component by hand. Upload the release that it belongs to and
            set it as the target: updates then resume.
          </Notice>
        )}
      </div>
    </Card>
  )
}

function Steps({ status }: { status: Status }) {
  const { step, next, waitsFor, waitsSince, paused } = status
  return (
    <dl className="grid gap-x-4 gap-y-1 grid-cols-[auto_1fr]">
      <dt className="text-secondary">Now</dt>
      <dd>
        {step ? (
          <>
            {doingWords(step.phase)} {step.kind} <span className="mono">{step.serial}</span>{' '}
            <span className="text-secondary">
              <RelativeTime date={step.since} />
            </span>
          </>
        ) : paused ? (
          'Paused'
        ) : (
          'Between two steps'
        )}
      </dd>
      {next && (
        <>
          <dt className="text-secondary">Next</dt>
          <dd>
            {next.kind} <span className="mono">{next.serial}</span>
          </dd>
        </>
      )}
      {waitsFor && (
        <>
          <dt className="text-secondary">Waits for</dt>
          <dd>
            {waitsFor}{' '}
            {waitsSince && (
              <span className="text-secondary">
                <RelativeTime date={waitsSince} />
              </span>
            )}
          </dd>
        </>
      )}
    </dl>
  )
}

/** Pauses the update after the present step, or resumes it. */
function PauseButton({ status: { paused } }: { status: Status }) {
  const { lacks } = useRole(undefined, 'fleet')
  return (
    <RequestButton
      size="small"
      disabledReason={lacks('admin')}
      request={requestTo(paused ? systemUpdateResume : systemUpdatePause, {})}
      done={() => ({ content: paused ? 'Update resumed' : 'Update paused', variant: 'success' })}
      errorTitle="Error changing the update"
      reload={reloadStatus}
    >
      {paused ? 'Resume update' : 'Pause update'}
    </RequestButton>
  )
}

/** The shares of releases as one bar, and in words. */
function Breakdown({ status }: { status: Status }) {
  const parts = breakdownOf(status)
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  if (total === 0) return <p className="text-secondary">No component has reported its release yet.</p>
  return (
    <>
      <div aria-hidden className="flex h-2 gap-px overflow-hidden rounded-[2px] border border-line bg-sunken">
        {parts.map(({ release, count, isTarget }) => (
          <div
            key={release}
            className={isTarget ? 'bg-accent' : 'bg-tertiary'}
            style={{ width: `${(100 * count) / total}%` }}
          />
        ))}
      </div>
      <ul aria-label="Components by release" className="flex flex-wrap gap-x-4 gap-y-1">
        {parts.map(({ release, count, isTarget }) => (
          <li key={release} className="flex items-center gap-2">
            <span className="mono">{release}</span>
            <span className="text-secondary">{countOf(count, 'component')}</span>
            {isTarget && <Badge tone="accent">Target</Badge>}
          </li>
        ))}
      </ul>
    </>
  )
}
