import { imageDemote, imageList, imagePromote, imageView } from '@purlin/contract/operations/storage/images'
import { useForm } from 'react-hook-form'
import { invalidate } from '#/api/query.ts'
import { sections } from '#/lib/addresses.ts'
import { requestTo, sendRequest } from '#/api/request.ts'
import { Highlight } from '#/ui/value/Highlight.tsx'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { addToast } from '#/ui/feedback/toast.ts'
import { ModalForm } from '#/resource/form/ModalForm.tsx'
import { undoableToast } from '#/resource/actions/undo.tsx'

/** Reads again what a move changes. */
export const reloadImages = () => invalidate(imageList, imageView)

/** The requests of both moves. */
export const promoteRequest = (id: string) => requestTo(imagePromote, { params: { image: id }, query: {} })
export const demoteRequest = (id: string, project: string) =>
  requestTo(imageDemote, { params: { image: id }, query: { project } })

/** Gives an image of a project to the silo. */
export async function promote(id: string) {
  const image = await sendRequest(promoteRequest(id))
  await reloadImages()
  return image
}

/** Gives an image of the silo to one project, by name or id. */
export async function demote(id: string, project: string): Promise<void> {
  await sendRequest(demoteRequest(id, project))
  await reloadImages()
}

/** The toast of a promotion, which can be taken back. */
export const promotedToast = ({ id, name }: { id: string; name: string }, project: string) =>
  undoableToast({ noun: 'Image', name, done: 'promoted', undone: 'demoted to its project again' }, () =>
    demote(id, project),
  )

/** Explains the promotion of an image. */
export const PromoteNotice = () => (
  <Notice>
    All projects of the silo will see the image and can create disks from it. It moves from its project to the
    silo images.
  </Notice>
)

export interface PromoteDialogProps {
  /** that the image is in, by name */
  project: string
  image: { id: string; name: string }
  onDismiss: () => void
}

/** Asks before an image of a project is given to the silo. */
export function PromoteDialog({ project, image, onDismiss }: PromoteDialogProps) {
  const form = useForm()
  const run = async () => {
    await promote(image.id)
    addToast({
      ...promotedToast(image, project),
      cta: { href: sections.siloImage.list(), text: 'View silo images' },
    })
    onDismiss()
  }
  return (
    <ModalForm
      title="Promote image"
      submitLabel="Promote"
      form={form}
      onSubmit={run}
      request={() => promoteRequest(image.id)}
      onDismiss={onDismiss}
    >
      <p>
        Are you sure you want to promote <Highlight>{image.name}</Highlight>?
      </p>
      <PromoteNotice />
    </ModalForm>
  )
}
