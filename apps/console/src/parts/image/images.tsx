/** Images as the lists of a project and of the silo show them, and how they are deleted. */
import { imageDelete, imageList } from '@purlin/contract/operations/images'
import type { Result } from '@purlin/contract/op'
import { invalidate } from '../../api.ts'
import { formatSize } from '../../lib/format.ts'
import { send } from '../../send.ts'
import { DateTime } from '../../ui/DateTime.tsx'
import { Highlight } from '../../ui/Highlight.tsx'
import type { MenuItem } from '../../ui/menuItems.ts'
import { Size } from '../../ui/Size.tsx'
import { CellLink } from '../../ui/table/CellLink.tsx'
import type { Column } from '../../ui/table/columns.ts'
import { confirmAction } from '../confirm.ts'
import { copyWithToast } from '../copy.ts'
import { DescriptionCell } from '../DescriptionCell.tsx'
import { disksMadeFrom, MadeFrom } from '../disk/madeFrom.tsx'
import { tellDone } from '../toasts.tsx'

export type Image = Result<typeof imageList>['items'][number]

/** The columns of a list of images. */
export const imageColumns = (hrefOf: (image: Image) => string): readonly Column<Image>[] => [
  {
    id: 'name',
    header: 'name',
    sortable: true,
    cell: (image) => <CellLink href={hrefOf(image)}>{image.name}</CellLink>,
  },
  {
    id: 'description',
    header: 'description',
    cell: ({ description }) => <DescriptionCell text={description} />,
  },
  { id: 'os', header: 'OS', cell: ({ os }) => os },
  { id: 'version', header: 'version', cell: ({ version }) => version },
  { id: 'size', header: 'size', cell: ({ size }) => <Size bytes={size} /> },
  { id: 'created', header: 'created', cell: ({ timeCreated }) => <DateTime date={timeCreated} /> },
]

/** The menu entries that every image has, around those of its list; `refused` says why it may not be deleted. */
export const imageMenu = (
  { image, project, refused }: { image: Image; project: string | undefined; refused: string | undefined },
  between: readonly MenuItem[],
): MenuItem[] => [
  { label: 'Copy ID', onAction: () => void copyWithToast(image.id, 'Image ID') },
  ...between,
  {
    label: 'Delete',
    danger: !refused,
    disabledReason: refused,
    onAction: () => void askToDelete(image, project),
  },
]

/** Deletes an image by name. */
export const deleteImage = (image: string, project?: string) =>
  send(imageDelete, { params: { image }, query: project ? { project } : {} })

async function askToDelete({ id, name, size }: Image, project?: string): Promise<void> {
  // An image of the silo may have been used in projects that are not this person's to see.
  const disks = project ? await disksMadeFrom(project, ({ imageId }) => imageId === id) : []
  confirmAction({
    modalTitle: 'Delete image',
    modalContent: (
      <>
        <p>
          Are you sure you want to delete <Highlight>{name}</Highlight> ({formatSize(size)})? No disk can be
          made from it any more. Disks and instances that were made from it go on working.
        </p>
        <MadeFrom disks={disks} />
      </>
    ),
    errorTitle: 'Could not delete image',
    actionType: 'danger',
    doAction: async () => {
      await deleteImage(name, project)
      await invalidate(imageList)
      tellDone('Image', name, 'deleted')
    },
  })
}
