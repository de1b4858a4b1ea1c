import {
  currentUserSecondFactorList,
  currentUserSecondFactorUpdate,
} from '@purlin/contract/operations/access/second-factors'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'

/** Renames a second factor. */
export function RenameDialog({ name: former, onDismiss }: { name: string; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { name: former } })
  const request = (body: { name: string }) =>
    requestTo(currentUserSecondFactorUpdate, { params: { factor: former }, body })
  const rename = async ({ name }: { name: string }) => {
    await sendRequest(request({ name }))
    await invalidate(currentUserSecondFactorList)
    addToast({ content: `Second factor renamed to ${name}` })
    onDismiss()
  }
  return (
    <ModalForm
      title="Rename second factor"
      submitLabel="Rename"
      form={form}
      onSubmit={rename}
      request={request}
      onDismiss={onDismiss}
    >
      <NameControl name="name" control={form.control} />
    </ModalForm>
  )
}
