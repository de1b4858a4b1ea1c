import { useForm } from 'react-hook-form'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { noBounds, trimmed, type Bounds } from '../words.ts'
import { BlockControls } from './BlockControls.tsx'

/** Asks for a block. */
export function AddBlock({ onAdd, onDismiss }: { onAdd: (block: Bounds) => unknown; onDismiss: () => void }) {
  const form = useForm({ defaultValues: noBounds })
  return (
    <ModalForm
      title="Add block"
      submitLabel="Add"
      form={form}
      onSubmit={async (filled) => {
        await onAdd(trimmed(filled))
        onDismiss()
      }}
      onDismiss={onDismiss}
    >
      <BlockControls control={form.control} />
    </ModalForm>
  )
}
