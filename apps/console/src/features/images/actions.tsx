import { imageUpdate } from '@purlin/contract/operations/storage/images'
import { disksMadeFrom, MadeFrom } from '#/features/disks/madeFrom.tsx'
import { plainActions, type Action, type Chosen } from '#/resource/actions/actions.tsx'
import { editAction, savingBy } from '#/resource/actions/editAction.tsx'
import { kinds } from '#/resource/kinds.ts'
import { lazily } from '#/lib/lazily.tsx'
import type { Image } from './images.tsx'
import type { PromoteDialogProps } from './PromoteDialog.tsx'

// Their modules have more components, with other props.
const PromoteDialog = lazily<'PromoteDialog', PromoteDialogProps>(
  () => import('./PromoteDialog.tsx'),
  'PromoteDialog',
)
const PromoteManyDialog = lazily(() => import('./PromoteManyDialog.tsx'), 'PromoteManyDialog')
const DemoteDialog = lazily(() => import('./moveDialogs.tsx'), 'DemoteDialog')
const DemoteManyDialog = lazily<'DemoteManyDialog', { chosen: Chosen }>(
  () => import('./moveDialogs.tsx'),
  'DemoteManyDialog',
)

/** Actions on an image of a project. */
export const projectImageActions = (project: string) =>
  imageActions(
    {
      id: 'promote',
      label: 'Promote',
      role: 'collaborator',
      siloRole: 'collaborator',
      formForMany: (chosen) => <PromoteManyDialog project={project} chosen={chosen} />,
      dialog: (image, close) => <PromoteDialog project={project} image={image} onDismiss={close} />,
    },
    project,
  )

/** Actions on an image of the silo. */
export const siloImageActions = () =>
  imageActions({
    id: 'demote',
    label: 'Demote',
    role: 'collaborator',
    formForMany: (chosen) => <DemoteManyDialog chosen={chosen} />,
    dialog: (image, close) => <DemoteDialog image={image} onDismiss={close} />,
  })

/** They are the same except for the move to the other. */
const imageActions = (move: Action<Image>, project?: string) =>
  plainActions(kinds.image, project, {
    own: [
      editAction({
        kind: kinds.image,
        update: imageUpdate,
        scope: project === undefined ? {} : { project },
        saving: savingBy(kinds.image, imageUpdate),
      }),
      move,
    ],
    note: (images) => deleteNote(images, project),
  })

async function deleteNote([only, ...others]: readonly Image[], project: string | undefined) {
  if (!only || others.length > 0) return 'Disks and instances created from them are not affected.'
  // An image of the silo may have been used in projects that are not this person's to see.
  const disks = project ? await disksMadeFrom(project, 'imageId', only.id) : []
  return (
    <>
      <p>No more disks can be created from it. Disks and instances created from it are not affected.</p>
      <MadeFrom disks={disks} />
    </>
  )
}
