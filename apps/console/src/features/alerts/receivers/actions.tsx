/** Actions on receivers. */
import { alertDeliveryList, alertReceiverProbe } from '@purlin/contract/operations/alerts/receivers'
import { errorMessage } from '#/api/errors.ts'
import { invalidate } from '#/api/query.ts'
import { send } from '#/api/send.ts'
import { plainActions, type Action } from '#/resource/actions/actions.tsx'
import { roleFor } from '#/resource/kind.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { receiver, type Receiver } from '../kinds.ts'
import { EditReceiver } from './EditReceiver.tsx'
import { attemptsOf, outcomeOf } from './outcome.ts'

async function probe({ name }: Receiver): Promise<void> {
  try {
    const { probe: delivery } = await send(alertReceiverProbe, { params: { receiver: name }, query: {} })
    const [attempt] = attemptsOf(delivery.attempts)
    const isDelivered = delivery.state === 'delivered'
    addToast({
      variant: isDelivered ? 'success' : 'error',
      title: isDelivered ? 'Probe delivered' : 'Probe not delivered',
      content: attempt ? outcomeOf(attempt) : 'It was not attempted.',
    })
  } catch (error) {
    addToast({ variant: 'error', title: 'Could not send a probe', content: errorMessage(error) })
  }
  await invalidate(alertDeliveryList)
}

const own: readonly Action<Receiver>[] = [
  { id: 'probe', label: 'Send probe', role: roleFor(alertReceiverProbe), onAction: probe },
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
