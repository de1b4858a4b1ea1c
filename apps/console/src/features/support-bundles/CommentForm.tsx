import {
  supportBundleCreate,
  supportBundleUpdate,
  supportBundleView,
} from '@purlin/contract/operations/bundles/support-bundles'
import { bundleLimits } from '@purlin/contract/rules/support-bundles'
import { useForm } from 'react-hook-form'
import { query } from '#/api/query.ts'
import { requestTo, sendRequest, type ApiRequest } from '#/api/request.ts'
import { LoadToEdit, type Fresh } from '#/resource/form/fresh/LoadToEdit.tsx'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { reload } from '#/resource/kind.ts'
import { TextAreaControl } from '#/ui/form/TextAreaControl.tsx'
import { bundle as kind, type Bundle } from './kinds.ts'

const tooLong = (text: string): string | undefined =>
  new TextEncoder().encode(text).length > bundleLimits.comment
    ? `A comment has at most ${bundleLimits.comment} bytes`
    : undefined

interface Shown {
  onDismiss: () => void
}

/** Changes the comment of a bundle. */
export const EditComment = ({ bundle, onDismiss }: Shown & { bundle: Bundle }) => (
  <LoadToEdit
    title="Edit comment"
    read={query(supportBundleView, { params: { bundleId: bundle.id } })}
    onDismiss={onDismiss}
  >
    {(now) => <CommentForm bundle={now} onDismiss={onDismiss} />}
  </LoadToEdit>
)

/** Collects a bundle with a comment, or changes that of one. */
export function CommentForm({ bundle, onDismiss }: Shown & { bundle?: Fresh<Bundle> }) {
  const form = useForm({ defaultValues: { comment: bundle?.userComment ?? '' } })
  const request = ({ comment }: { comment: string }): ApiRequest => {
    const body = { userComment: comment === '' ? null : comment }
    return bundle
      ? requestTo(supportBundleUpdate, { params: { bundleId: bundle.id }, body })
      : requestTo(supportBundleCreate, { body })
  }
  const save = async (filled: { comment: string }) => {
    await sendRequest(request(filled))
    await reload(kind)
    onDismiss()
  }
  return (
    <ModalForm
      title={bundle ? 'Edit comment' : 'Collect support bundle'}
      submitLabel={bundle ? 'Update' : 'Collect'}
      form={form}
      onSubmit={save}
      request={request}
      onDismiss={onDismiss}
    >
      <TextAreaControl
        name="comment"
        label="Comment"
        control={form.control}
        hint="For those who read it: what happened, and when."
        validate={tooLong}
      />
    </ModalForm>
  )
}
