import { useForm } from 'react-hook-form'
import type { ApiRequest } from '#/api/request.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { noBounds, trimmed, type Bounds } from '../words.ts'
import { BlockControls } from './BlockControls.tsx'

interface AddBlockProps {
  onAdd: (block: Bounds) => unknown
  /** The request that adds it; null if blocks are collected. */
  request: ((block: Bounds) => ApiRequest) | null
  onDismiss: () => void
}

/** Asks for a block. */
export function AddBlock({ onAdd, request, onDismiss }: AddBlockProps) {
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
      request={request && ((filled) => request(trimmed(filled)))}
      onDismiss={onDismiss}
    >
      <BlockControls control={form.control} />
    </ModalForm>
  )
}
