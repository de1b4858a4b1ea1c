import { imageList, imagePromote, imageView } from '@purlin/contract/operations/images'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { send } from '#/api/send.ts'
import { Highlight } from '#/ui/Highlight.tsx'
import { Notice } from '#/ui/Notice.tsx'
import { addToast } from '#/ui/toast.ts'
import { ModalForm } from '#/resource/ModalForm.tsx'
import { doneToast } from '#/resource/toasts.tsx'

/** Gives an image of a project to the silo. */
export async function promote(id: string) {
  const image = await send(imagePromote, { params: { image: id }, query: {} })
  await invalidate(imageList, imageView)
  return image
}

/** What promoting means. */
export const PromoteNotice = () => (
  <Notice>
    All projects of the silo will see the image and can create disks from it. It moves from its project to the
    silo images.
  </Notice>
)

/** Asks before an image of a project is given to the silo. */
export function PromoteDialog({
  image: { id, name },
  onDismiss,
}: {
  image: { id: string; name: string }
  onDismiss: () => void
}) {
  const form = useForm()
  const run = async () => {
    await promote(id)
    addToast({
      ...doneToast('Image', name, 'promoted'),
      cta: { href: sections.siloImage.list(), text: 'View silo images' },
    })
    onDismiss()
  }
  return (
    <ModalForm title="Promote image" submitLabel="Promote" form={form} onSubmit={run} onDismiss={onDismiss}>
      <p>
        Are you sure you want to promote <Highlight>{name}</Highlight>?
      </p>
      <PromoteNotice />
    </ModalForm>
  )
}
