/** The common part of the lists of a project's and of the silo's images. */
import { imageView, type imageList } from '@purlin/contract/operations/storage/images'
import { query } from '#/api/query.ts'
import { argsFor } from '#/api/send.ts'
import { guides } from '#/lib/addresses.ts'
import { createdColumn, descriptionColumn, nameColumn } from '#/resource/list/columns.tsx'
import type { Row } from '#/resource/kind.ts'
import { kinds } from '#/resource/kinds.ts'
import type { ListOf } from '#/resource/list/ResourceList.tsx'
import { Size } from '#/ui/value/Size.tsx'
import { UsedBy } from './UsedBy.tsx'

export type Image = Row<typeof kinds.image>
type List = ListOf<typeof imageList>

const withDisks = { totalDisks: true } as const

/** An image with the number of disks that were made from it. */
export const imageQuery = (image: string, scope: { project?: string | undefined } = {}) =>
  query(imageView, argsFor(imageView, { params: { image }, query: { ...scope, ...withDisks } }))

/** A list of images. `summary` is what its docs say. */
export const listOfImages = ({
  summary,
  ...own
}: Pick<List, 'title' | 'isOfSilo' | 'create' | 'emptyBody' | 'actions' | 'above'> & {
  summary: string
}): List => ({
  kind: kinds.image,
  docs: { summary, links: [guides.images] },
  asksFor: withDisks,
  columns: (project) => [
    nameColumn(kinds.image, own.isOfSilo ? {} : { project }),
    descriptionColumn,
    { id: 'os', header: 'OS', cell: ({ os }) => os },
    { id: 'version', header: 'version', cell: ({ version }) => version },
    { id: 'size', header: 'size', order: 'size', cell: ({ size }) => <Size bytes={size} /> },
    {
      id: 'usedBy',
      header: 'used by',
      tip: own.isOfSilo
        ? 'Disks that were made from it, in the projects that you see.'
        : 'Disks of the project that were made from it.',
      spare: 1,
      cell: (image) => <UsedBy image={image} project={own.isOfSilo ? undefined : project} />,
    },
    createdColumn,
  ],
  ...own,
})
