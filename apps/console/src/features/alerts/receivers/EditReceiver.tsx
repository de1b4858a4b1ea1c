import { emailReceiverUpdate, webhookReceiverUpdate } from '@purlin/contract/operations/alerts/receivers'
import { endpointProblem } from '@purlin/contract/rules/alerts/classes'
import { useForm } from 'react-hook-form'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { linesOf } from '#/lib/input/lines.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload, viewQuery } from '#/resource/kind.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { receiver as receiverKind, type Receiver } from '../kinds.ts'
import { AddressesControl } from './AddressesControl.tsx'

interface Filled {
  description: string
  endpoint: string
  to: string
}
const filledFrom = ({ description, kind }: Receiver): Filled =>
  kind.kind === 'webhook'
    ? { description, endpoint: kind.endpoint, to: '' }
    : { description, endpoint: '', to: kind.to.join('\n') }

function requestOf({ name, kind }: Receiver, { description, endpoint, to }: Filled): ApiRequest {
  const params = { receiver: name }
  return kind.kind === 'webhook'
    ? requestTo(webhookReceiverUpdate, { params, body: { description, endpoint } })
    : requestTo(emailReceiverUpdate, { params, body: { description, to: linesOf(to) } })
}

interface Shown<R> {
  receiver: R
  onDismiss: () => void
}

/** Changes what a receiver says of itself and where it is. Its name stays, since addresses have it. */
export const EditReceiver = ({ receiver, onDismiss }: Shown<Receiver>) => (
  <LoadToEdit title="Edit receiver" read={viewQuery(receiverKind, receiver.id)} onDismiss={onDismiss}>
    {(now) => <ReceiverForm receiver={now} onDismiss={onDismiss} />}
  </LoadToEdit>
)

function ReceiverForm({ receiver, onDismiss }: Shown<Fresh<Receiver>>) {
  const form = useForm<Filled>({ defaultValues: filledFrom(receiver) })
  const { control } = form
  const request = (filled: Filled) => requestOf(receiver, filled)
  const submit = async (filled: Filled) => {
    await sendRequest(request(filled))
    await reload(receiverKind)
    showDoneToast('Receiver', receiver.name, 'updated')
    onDismiss()
  }
  return (
    <ModalForm
      title="Edit receiver"
      submitLabel="Update"
      form={form}
      onSubmit={submit}
      request={request}
      draft={{ form: 'alertReceiver', place: receiver.id, isChange: true }}
      onDismiss={onDismiss}
    >
      {receiver.kind.kind === 'webhook' ? (
        <TextControl
          name="endpoint"
          label="Endpoint"
          control={control}
          required
          validate={(text) => endpointProblem(text)}
        />
      ) : (
        <AddressesControl name="to" control={control} />
      )}
      <DescriptionControl name="description" control={control} />
    </ModalForm>
  )
}
