import { useForm } from 'react-hook-form'
import type { Named } from '#/resource/kind.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { attachDisk, attachRequest } from '../attachment.ts'
import { useInstanceField } from './useInstanceField.tsx'

interface AttachToInstanceDialogProps {
  project: string
  disk: Named
  /** The instance, if it is known. */
  given?: Named | undefined
  onDismiss: () => void
}

/** Chooses the instance that a disk is attached to. */
export function AttachToInstanceDialog({ project, disk, given, onDismiss }: AttachToInstanceDialogProps) {
  const form = useForm({ defaultValues: { instance: given?.name ?? '' } })
  const { field, full } = useInstanceField(project, form)
  return (
    <ModalForm
      title="Attach disk"
      submitLabel="Attach"
      form={form}
      onSubmit={async (values) => {
        await attachDisk({ project, instance: values.instance }, disk.name)
        onDismiss()
      }}
      request={(values) => attachRequest({ project, instance: values.instance }, disk.name)}
      onDismiss={onDismiss}
      submitDisabledReason={full}
    >
      <p>
        The instance will have disk <Highlight>{disk.name}</Highlight> as an additional disk.
      </p>
      {field}
    </ModalForm>
  )
}
