/** Support bundles as screens list them. Other pages do without, so they are not in the table of kinds. */
import { supportBundleDelete, supportBundleList } from '@purlin/contract/operations/bundles/support-bundles'
import FileArchive from 'lucide-react/icons/file-archive'
import type { Item } from '#/api/everyPage.ts'
import { kind } from '#/resource/kind.ts'

export type Bundle = Item<typeof supportBundleList>

export const bundle = kind({
  name: 'supportBundle',
  title: 'Support Bundles',
  icon: FileArchive,
  labelOf: ({ id }: Bundle) => id,
  list: supportBundleList,
  remove: supportBundleDelete,
})
