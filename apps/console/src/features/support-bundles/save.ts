import { supportBundleDownload } from '@purlin/contract/operations/bundles/support-bundles'
import { errorMessage } from '#/api/errors.ts'
import { download } from '#/api/download.ts'
import { addToast } from '#/ui/feedback/toast.ts'
import type { Bundle } from './kinds.ts'

/** Saves a bundle, or one of its files. */
export async function save({ id }: Pick<Bundle, 'id'>, file?: string): Promise<void> {
  const path = supportBundleDownload.path.replace('{bundle_id}', id)
  try {
    await download(file === undefined ? path : `${path}/${encodeURIComponent(file)}`, supportBundleDownload)
  } catch (error) {
    addToast({ variant: 'error', title: 'Could not download', content: errorMessage(error) })
  }
}
