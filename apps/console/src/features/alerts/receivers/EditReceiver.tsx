import { webhookReceiverUpdate } from '@purlin/contract/operations/alerts/receivers'
import { endpointProblem } from '@purlin/contract/rules/alerts/classes'
import { useForm } from 'react-hook-form'
import { send } from '#/api/send.ts'
import { showDoneToast } from '#/resource/actions/toasts.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload } from '#/resource/kind.ts'
import { DescriptionControl } from '#/ui/form/DescriptionControl.tsx'
import { TextControl } from '#/ui/form/TextControl.tsx'
import { receiver as receiverKind, type Receiver } from '../kinds.ts'

/** Changes what a receiver says of itself and where it is. Its name stays, since addresses have it. */
export function EditReceiver({ receiver, onDismiss }: { receiver: Receiver; onDismiss: () => void }) {
  const { name, description, kind } = receiver
  const form = useForm({ defaultValues: { description, endpoint: kind.endpoint } })
  const save = async (body: { description: string; endpoint: string }) => {
    await send(webhookReceiverUpdate, { params: { receiver: name }, body })
    await reload(receiverKind)
    showDoneToast('Receiver', name, 'updated')
    onDismiss()
  }
  return (
    <ModalForm title="Edit receiver" submitLabel="Update" form={form} onSubmit={save} onDismiss={onDismiss}>
      <TextControl
        name="endpoint"
        label="Endpoint"
        control={form.control}
        required
        validate={(text) => endpointProblem(text)}
      />
      <DescriptionControl name="description" control={form.control} />
    </ModalForm>
  )
}
