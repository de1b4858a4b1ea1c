/** Actions on receivers. */
import { alertDeliveryList, alertReceiverProbe } from '@purlin/contract/operations/alerts/receivers'
import type { Result } from '@purlin/contract/op'
import { invalidate } from '#/api/query.ts'
import { requestTo } from '#/api/request.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { sending } from '#/resource/actions/sendNow.ts'
import { roleFor } from '#/resource/kind.ts'
import type { ToastInput } from '#/ui/feedback/toast.ts'
import { receiver, type Receiver } from '../kinds.ts'
import { EditReceiver } from './EditReceiver.tsx'
import { attemptsOf, outcomeOf } from './outcome.ts'

function outcomeToast({ probe }: Result<typeof alertReceiverProbe>): ToastInput {
  const [attempt] = attemptsOf(probe.attempts)
  const isDelivered = probe.state === 'delivered'
  return {
    variant: isDelivered ? 'success' : 'error',
    title: isDelivered ? 'Probe delivered' : 'Probe not delivered',
    content: attempt ? outcomeOf(attempt) : 'It was not attempted.',
  }
}

const own: readonly Action<Receiver>[] = [
  {
    id: 'probe',
    label: 'Send probe',
    role: roleFor(alertReceiverProbe),
    ...sending(
      ({ name }: Receiver) => requestTo(alertReceiverProbe, { params: { receiver: name }, query: {} }),
      {
        done: outcomeToast,
        errorTitle: 'Could not send a probe',
        reload: () => invalidate(alertDeliveryList),
      },
    ),
  },
  {
    id: 'edit',
    label: 'Edit',
    role: 'admin',
    dialog: (row, close) => <EditReceiver receiver={row} onDismiss={close} />,
  },
]

/** Its page says how to leave it when the receiver is deleted. */
export const receiverActions = ({ leave }: { leave?: () => unknown } = {}) =>
  plainActions(
    receiver,
    {},
    { own, note: () => 'Its secrets, subscriptions and deliveries are deleted with it.', leave },
  )
