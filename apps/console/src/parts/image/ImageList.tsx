import { imageList } from '@purlin/contract/operations/images'
import { Outlet } from '@tanstack/react-router'
import Images from 'lucide-react/icons/images'
import type { ReactNode } from 'react'
import { invalidate, query } from '../../api.ts'
import { guides } from '../../paths.ts'
import { DocsPopover } from '../../ui/DocsPopover.tsx'
import { EmptyState } from '../../ui/EmptyState.tsx'
import type { MenuItem } from '../../ui/menuItems.ts'
import { PageHeader } from '../../ui/PageHeader.tsx'
import { RowMenu } from '../../ui/RowMenu.tsx'
import { useGoTo } from '../goTo.ts'
import { listPage } from '../listPage.ts'
import { lookUpLimit, usePaging } from '../paging.ts'
import { QueryTable } from '../QueryTable.tsx'
import { useBulkDelete } from '../useBulkDelete.tsx'
import { deleteImage, imageColumns, imageMenu, type Image } from './images.tsx'

export interface ImageListProps {
  /** The project whose images are listed; those of the silo without one. */
  project?: string
  title: string
  summary: ReactNode
  /** The button that brings an image here. */
  button: ReactNode
  /** What to do about an empty list, as a sentence. */
  emptyBody: string
  hrefOf: (image: Image) => string
  /** Why nothing can be deleted here. */
  refused: string | undefined
  /** The entries of a row's menu besides those that every image has. */
  actions: (image: Image) => MenuItem[]
}

/** The page of a project's or the silo's images, with its panels above it. */
export function ImageList(props: ImageListProps) {
  const { project, title, summary, button, emptyBody, hrefOf, refused, actions } = props
  const scope = project ? { project } : {}
  const list = listPage(imageList, scope, usePaging().search)
  useGoTo({
    group: 'Go to image',
    page: list,
    others: query(imageList, { query: { ...scope, limit: lookUpLimit } }),
    hrefOf,
  })
  const bulk = useBulkDelete({
    noun: 'image',
    page: list,
    refusal: () => refused,
    note: 'Disks and instances that were made from them go on working.',
    remove: ({ name }) => deleteImage(name, project),
    reload: () => invalidate(imageList),
  })
  return (
    <>
      <PageHeader icon={<Images />} title={title}>
        {bulk.bar}
        <DocsPopover topic="images" icon={<Images />} summary={summary} links={[guides.images]} />
        {button}
      </PageHeader>
      <QueryTable
        label={title}
        query={list}
        columns={imageColumns(hrefOf)}
        actions={(image) => <RowMenu items={imageMenu({ image, project, refused }, actions(image))} />}
        selection={bulk.selection}
        empty={<EmptyState icon={<Images />} title="No images" body={emptyBody} action={button} />}
      />
      <Outlet />
    </>
  )
}
