/** Alerts: the conditions that hold now, or those that have ended, the newest first. */
import { alertList } from '@purlin/contract/operations/alerts/alerts'
import BellRing from 'lucide-react/icons/bell-ring'
import { SubjectLink } from '#/features/issues/SubjectLink.tsx'
import { useActions } from '#/resource/actions/actions.tsx'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge } from '#/ui/value/Badge.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { alertActions, type Alert } from './actions.tsx'

type State = 'active' | 'ended'

export const alertsQuery = (state: State, search: PagingSearch) =>
  listPage(alertList, {}, { ...search, asksFor: { state } })

const columns: readonly Column<Alert>[] = [
  {
    id: 'severity',
    header: 'severity',
    width: '7rem',
    cell: ({ severity }) => (
      <Badge tone={severity === 'critical' ? 'danger' : 'busy'} dot pulsing={false}>
        {severity}
      </Badge>
    ),
  },
  {
    id: 'alert',
    header: 'alert',
    isRowHeader: true,
    cell: (row) => (
      <span className="block min-w-56 py-2 whitespace-normal">
        <span className="block font-medium">{row.text} </span>
        <span className="mono block text-secondary">{row.class}</span>
      </span>
    ),
  },
  {
    id: 'subject',
    header: 'where',
    cell: ({ subject }) => <SubjectLink subject={subject} />,
  },
  { id: 'handling', header: 'handling', cell: (row) => <Handling {...row} /> },
  {
    id: 'started',
    header: 'since',
    width: '11rem',
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
]
const ended: Column<Alert> = {
  id: 'ended',
  header: 'ended',
  width: '11rem',
  cell: ({ timeEnded }) => timeEnded && <DateTime date={timeEnded} />,
}

const Handling = ({ timeAcknowledged, silencedUntil }: Alert) => (
  <span className="inline-flex flex-wrap items-center gap-2">
    {timeAcknowledged && <Badge>acknowledged</Badge>}
    {silencedUntil && (
      <span className="text-secondary">
        silent until <DateTime date={silencedUntil} />
      </span>
    )}
  </span>
)

export function AlertTable({ state, search }: { state: State; search: PagingSearch }) {
  const { menu } = useActions<Alert>(alertActions, {}, [undefined, 'fleet'])
  return (
    <QueryTable<Alert>
      label={state === 'active' ? 'Active alerts' : 'Ended alerts'}
      query={alertsQuery(state, search)}
      columns={state === 'active' ? columns : [...columns, ended]}
      actions={(row) => <RowMenu items={menu(row)} />}
      empty={
        <EmptyState
          icon={<BellRing />}
          title={state === 'active' ? 'No active alerts' : 'No ended alerts'}
          body={
            state === 'active'
              ? 'Nothing needs attention. An alert appears here when a condition begins.'
              : 'Alerts are kept here for a while after their condition has ended.'
          }
        />
      }
    />
  )
}
