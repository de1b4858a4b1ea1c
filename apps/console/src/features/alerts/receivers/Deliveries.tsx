import { alertDeliveryList, alertDeliveryResend } from '@purlin/contract/operations/alerts/receivers'
import type { DeliveryState } from '@purlin/contract/rules/alerts/classes'
import Send from 'lucide-react/icons/send'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { SubjectLink } from '#/features/issues/SubjectLink.tsx'
import { copyId, useActions, type Action } from '#/resource/actions/actions.tsx'
import { sending } from '#/resource/actions/sendNow.ts'
import { roleFor, roleScope } from '#/resource/kind.ts'
import { listPage } from '#/resource/list/listPage.ts'
import type { PagingSearch } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Badge, type BadgeTone } from '#/ui/value/Badge.tsx'
import { Dash } from '#/ui/value/Dash.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { receiver as receiverKind, type Receiver } from '../kinds.ts'
import { attemptsOf, outcomeOf, type Delivery } from './outcome.ts'

export const deliveriesQuery = (receiver: string, search: PagingSearch) =>
  listPage(alertDeliveryList, { receiver }, { ...search, asksFor: { sortBy: 'time_and_id_descending' } })

const tones: Record<DeliveryState, BadgeTone> = { pending: 'busy', delivered: 'ok', failed: 'danger' }

const columns: readonly Column<Delivery>[] = [
  {
    id: 'alert',
    header: 'alert',
    isRowHeader: true,
    cell: ({ alert, alertClass }) => (
      <span className="block min-w-56 py-2 whitespace-normal">
        {alert && <span className="block font-medium">{alert.text} </span>}
        <span className="mono block text-secondary">{alertClass}</span>
      </span>
    ),
  },
  {
    id: 'subject',
    header: 'where',
    cell: ({ alert }) => (alert ? <SubjectLink subject={alert.subject} /> : <Dash />),
  },
  {
    id: 'state',
    header: 'state',
    cell: ({ state }) => (
      <Badge tone={tones[state]} dot pulsing={false}>
        {state}
      </Badge>
    ),
  },
  { id: 'trigger', header: 'trigger', cell: ({ trigger }) => trigger },
  {
    id: 'attempts',
    header: 'attempts',
    cell: ({ attempts }) =>
      attemptsOf(attempts).length === 0 ? (
        <Dash />
      ) : (
        <ol className="py-1 whitespace-normal">
          {attemptsOf(attempts).map((one) => (
            <li key={one.attempt} className="wrap-anywhere">
              {outcomeOf(one)} <span className="text-secondary">at</span>{' '}
              <DateTime date={one.timeSent} seconds />
            </li>
          ))}
        </ol>
      ),
  },
  {
    id: 'started',
    header: 'started',
    width: '11rem',
    cell: ({ timeStarted }) => <DateTime date={timeStarted} />,
  },
]

const resend: Action<Delivery> = {
  id: 'resend',
  label: 'Send again',
  role: roleFor(alertDeliveryResend),
  ...sending(
    ({ alertId, receiverId }: Delivery) =>
      requestTo(alertDeliveryResend, { params: { alertId }, query: { receiver: receiverId } }),
    {
      done: () => ({ content: 'The alert is sent again' }),
      errorTitle: 'Could not send it again',
      reload: () => invalidate(alertDeliveryList),
    },
  ),
}
const actions = [copyId('delivery'), resend]

/** The alerts that were sent to a receiver or wait to be, with each attempt. */
export function Deliveries({ receiver, search }: { receiver: Receiver; search: PagingSearch }) {
  const { menu } = useActions<Delivery>(actions, {}, roleScope(receiverKind, {}))
  return (
    <section>
      <h2 className="mb-3 text-lg font-semibold">Deliveries</h2>
      <QueryTable<Delivery>
        label="Deliveries"
        query={deliveriesQuery(receiver.name, search)}
        columns={columns}
        actions={(row) => <RowMenu items={menu(row)} />}
        empty={
          <EmptyState
            icon={<Send />}
            title="No deliveries"
            body="Alerts of the classes above appear here once they begin."
          />
        }
      />
    </section>
  )
}
