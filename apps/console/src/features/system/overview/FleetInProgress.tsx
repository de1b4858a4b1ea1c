import { countOf } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { InProgress, type Work } from '#/features/activity/InProgress.tsx'
import { progressOf } from '#/features/update/progress.ts'
import { statusQuery, type Status } from '#/features/update/queries.ts'
import { doingWords } from '#/features/update/words.ts'
import { paths } from '#/lib/addresses.ts'
import { TextLink } from '#/ui/button/link.tsx'
import { fleetQuery, type FleetOverview } from './queries.ts'

type InMaintenance = FleetOverview['maintenance'][number]

/** The update, the sleds in maintenance, and the own tasks. */
export function FleetInProgress() {
  const fleet = useQuery(fleetQuery())
  const update = useQuery({ ...statusQuery(), throwOnError: false })
  const isKnown = (fleet.data || fleet.error) && (update.data || update.error)
  const works = isKnown
    ? [...(update.data ? worksOfUpdate(update.data) : []), ...(fleet.data?.maintenance ?? []).map(workOf)]
    : undefined
  return (
    <InProgress
      works={works}
      none="Nothing is in progress: no update, no sled in maintenance, and no task of yours."
    />
  )
}

function worksOfUpdate(status: Status): Work[] {
  const { targetRelease, step, paused, waitsFor, waitsSince } = status
  const progress = progressOf(status)
  if (!targetRelease || (progress?.percent === 100 && !step)) return []
  const state = step
    ? `${doingWords(step.phase)} ${step.kind} ${step.serial}.`
    : paused
      ? 'It is paused.'
      : waitsFor
        ? `It waits for ${waitsFor}.`
        : 'It is between two steps.'
  return [
    {
      key: 'update',
      text: (
        <>
          <TextLink href={paths.systemUpdate}>Update to {targetRelease.version}</TextLink>{' '}
          <span className="text-secondary">{state}</span>
        </>
      ),
      since: step?.since ?? waitsSince ?? targetRelease.timeRequested,
      progress: progress ? { percent: progress.percent, label: 'Progress: update' } : undefined,
    },
  ]
}

const states: Record<InMaintenance['maintenance']['state'], (left: string) => string> = {
  evacuating: (left) => `Moving ${left} to other sleds.`,
  incomplete: (left) => `${left} could not be moved.`,
  empty: () => 'It is empty: it can be worked on.',
}

const workOf = ({ sledId, serial, maintenance: { state, remaining, since } }: InMaintenance): Work => ({
  key: sledId,
  text: (
    <>
      <TextLink href={paths.sledTab(sledId, 'maintenance')}>Maintenance of {serial}</TextLink>{' '}
      <span className="text-secondary">{states[state](countOf(remaining, 'instance'))}</span>
    </>
  ),
  since,
})
