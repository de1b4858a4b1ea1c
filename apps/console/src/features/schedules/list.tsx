import type { scheduleList } from '@purlin/contract/operations/schedules/schedules'
import { createFileRoute } from '@tanstack/react-router'
import { guides } from '#/lib/addresses.ts'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { kinds } from '#/resource/kinds.ts'
import { nameColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { CutText } from '#/ui/table/CutText.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { scheduleActions } from './actions.ts'
import { doesWords, ruleWords } from './schedule.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_schedules')({
  ...listRoute(kinds.schedule),
  loader: (match) => loadList(schedules, match),
  component: () => <ResourceList list={schedules} />,
})

const schedules: ListOf<typeof scheduleList> = {
  kind: kinds.schedule,
  docs: {
    summary:
      'A schedule starts or stops instances, or takes snapshots of instances or disks, at times: of those that you name, or of all that have a tag.',
    links: [guides.instances, guides.snapshots],
  },
  emptyBody:
    'A schedule stops instances every evening, for example, and another one starts them every morning.',
  actions: scheduleActions,
  columns: (project) => [
    nameColumn(kinds.schedule, { project }),
    {
      id: 'does',
      header: 'does',
      cell: (row) => <CutText text={doesWords(row)} least={8} />,
    },
    {
      id: 'runs',
      header: 'runs',
      cell: ({ rule, timeZone }) => (
        <CutText text={`${ruleWords(rule)} ${timeZone}`} least={9}>
          {ruleWords(rule)} <span className="text-secondary">{timeZone}</span>
        </CutText>
      ),
    },
    {
      id: 'next',
      header: 'next run',
      cell: ({ timeNextRun }) =>
        timeNextRun ? <DateTime date={timeNextRun} /> : <Badge tone="idle">paused</Badge>,
    },
    {
      id: 'last',
      header: 'last run',
      spare: 1,
      cell: ({ timeLastRun, lastError }) =>
        lastError ? (
          <CutText text={`Failed: ${lastError}`}>
            <span className="text-danger">Failed: {lastError}</span>
          </CutText>
        ) : timeLastRun ? (
          <DateTime date={timeLastRun} />
        ) : (
          <Dash />
        ),
    },
  ],
}
