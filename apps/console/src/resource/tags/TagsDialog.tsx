import type { Tags } from '@purlin/contract/rules/tags'
import { useForm } from 'react-hook-form'
import { requestTo, sendRequest } from '#/api/request.ts'
import { capitalize } from '#/lib/text.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import { undoableToast } from '../actions/undo.tsx'
import { ModalForm } from '../form/ModalForm.tsx'
import { tagChange, tagsIn, tagsText } from '../form/tags.ts'
import { TagsControl } from '../form/TagsControl.tsx'
import { argsOf, reload, type Identified, type Kind } from '../kind.ts'
import { tagOperations, type TaggedName } from './operations.ts'

interface TagsDialogProps {
  kind: Pick<Kind, 'noun' | 'list' | 'related' | 'labelOf'> & { name: TaggedName }
  row: Identified & { tags?: Tags | undefined }
  onDismiss: () => void
}

/** Changes the tags of one resource. Those that another user has added since stay. */
export function TagsDialog({ kind, row, onDismiss }: TagsDialogProps) {
  const before = row.tags ?? {}
  const form = useForm({ defaultValues: { tags: tagsText(before) } })
  const request = (from: Tags, to: Tags) => {
    const op = tagOperations[kind.name]
    const target = argsOf(kind, op, { nameOrId: row.id }) as object
    return requestTo(op, { ...target, body: tagChange(from, to) } as never)
  }
  const send = async (from: Tags, to: Tags) => {
    await sendRequest(request(from, to))
    await reload(kind)
  }
  return (
    <ModalForm
      title={`Change tags of ${kind.labelOf(row)}`}
      submitLabel="Change tags"
      form={form}
      onSubmit={async ({ tags }) => {
        const after = tagsIn(tags)
        await send(before, after)
        const done = { done: 'tagged', undone: 'has its former tags again' }
        const of = { noun: capitalize(kind.noun), name: kind.labelOf(row), ...done }
        addToast(undoableToast(of, () => send(after, before)))
        onDismiss()
      }}
      request={({ tags }) => request(before, tagsIn(tags))}
      onDismiss={onDismiss}
    >
      <TagsControl control={form.control} />
    </ModalForm>
  )
}
