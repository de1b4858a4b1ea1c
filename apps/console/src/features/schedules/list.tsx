import { scheduleRun, type scheduleList } from '@purlin/contract/operations/schedules/schedules'
import { createFileRoute } from '@tanstack/react-router'
import type { Item } from '#/api/everyPage.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { guides } from '#/lib/addresses.ts'
import { toActivity } from '#/resource/actions/activity.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { listRoute } from '#/resource/address/routeOptions.tsx'
import { reload } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import { nameColumn } from '#/resource/list/columns.tsx'
import { loadList, ResourceList, type ListOf } from '#/resource/list/ResourceList.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { capitalize } from '#/lib/text.ts'
import { ruleWords, targetWords } from './schedule.ts'

export const Route = createFileRoute('/_auth/projects/$project/_in/_schedules')({
  ...listRoute(kinds.schedule),
  loader: (match) => loadList(schedules, match),
  component: () => <ResourceList list={schedules} />,
})

type Row = Item<typeof scheduleList>

const runRequest = ({ id }: Pick<Row, 'id'>) =>
  requestTo(scheduleRun, { params: { schedule: id }, query: {} })

const run: Action<Row> = {
  id: 'run',
  label: 'Run now',
  role: 'collaborator',
  command: runRequest,
  onAction: async (row) => {
    const { totalItems } = await sendRequest(runRequest(row))
    addToast({
      content: `Schedule ${row.name} runs: ${totalItems} ${totalItems === 1 ? 'instance' : 'instances'}`,
      action: toActivity,
    })
    await reload(kinds.schedule)
  },
}

const schedules: ListOf<typeof scheduleList> = {
  kind: kinds.schedule,
  docs: {
    summary:
      'A schedule starts or stops instances at times: those that you name, or all that have a tag. Snapshots of a disk have their schedule on the page of the disk.',
    links: [guides.instances],
  },
  emptyBody:
    'A schedule stops instances every evening, for example, and another one starts them every morning.',
  actions: (project) => plainActions(kinds.schedule, project, { own: [run] }),
  columns: (project) => [
    nameColumn(kinds.schedule, { project }),
    {
      id: 'does',
      header: 'does',
      cell: (row) => `${capitalize(row.action)} ${targetWords(row)}`,
    },
    {
      id: 'runs',
      header: 'runs',
      cell: ({ rule, timeZone }) => (
        <>
          {ruleWords(rule)} <span className="text-secondary">{timeZone}</span>
        </>
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
      cell: ({ timeLastRun, lastError }) =>
        lastError ? (
          <span className="text-danger" title={lastError}>
            Failed: {lastError}
          </span>
        ) : timeLastRun ? (
          <DateTime date={timeLastRun} />
        ) : (
          <Dash />
        ),
    },
  ],
}
