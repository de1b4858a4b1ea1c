import {
  currentUserSecondFactorList,
  currentUserSecondFactorUpdate,
} from '@purlin/contract/operations/access/second-factors'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { NameControl } from '#/ui/form/NameControl.tsx'
import { factorsQuery } from './queries.ts'

interface Renamed {
  id: string
  name: string
}

/** Renames a second factor. */
export const RenameDialog = ({ id, onDismiss }: { id: string; onDismiss: () => void }) => (
  <LoadToEdit
    title="Rename second factor"
    read={factorsQuery}
    find={({ items }) => items.find((one) => one.id === id)}
    onDismiss={onDismiss}
  >
    {(factor) => <RenameForm factor={factor} onDismiss={onDismiss} />}
  </LoadToEdit>
)

function RenameForm({ factor, onDismiss }: { factor: Fresh<Renamed>; onDismiss: () => void }) {
  const form = useForm({ defaultValues: { name: factor.name } })
  const request = (body: { name: string }) =>
    requestTo(currentUserSecondFactorUpdate, { params: { factor: factor.name }, body })
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
