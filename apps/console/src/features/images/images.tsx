/** The common part of the lists of a project's and of the silo's images. */
import type { imageList } from '@purlin/contract/operations/storage/images'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import type { Row } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import type { ListOf } from '#/resource/list/ResourceList.tsx'
import { Size } from '#/ui/value/Size.tsx'

export type Image = Row<typeof kinds.image>
type List = ListOf<typeof imageList>

/** A list of images. `summary` is what its docs say. */
export const listOfImages = ({
  summary,
  ...own
}: Pick<List, 'title' | 'isOfSilo' | 'create' | 'emptyBody' | 'actions' | 'above'> & {
  summary: string
}): List => ({
  kind: kinds.image,
  docs: { summary, links: [guides.images] },
  columns: (project) => [
    nameColumn(kinds.image, own.isOfSilo ? {} : { project }),
    descriptionColumn,
    { id: 'os', header: 'OS', cell: ({ os }) => os },
    { id: 'version', header: 'version', cell: ({ version }) => version },
    { id: 'size', header: 'size', order: 'size', cell: ({ size }) => <Size bytes={size} /> },
    createdColumn,
  ],
  ...own,
})
