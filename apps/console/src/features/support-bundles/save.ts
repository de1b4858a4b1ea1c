import { supportBundleDownload } from '@purlin/contract/operations/bundles/support-bundles'
import { download } from '#/api/download.ts'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import type { Bundle } from './kinds.ts'

/** Saves a bundle, or one of its files. */
export async function save({ id }: Pick<Bundle, 'id'>, file?: string): Promise<void> {
  const path = supportBundleDownload.path.replace('{bundle_id}', id)
  try {
    await download(file === undefined ? path : `${path}/${encodeURIComponent(file)}`, supportBundleDownload)
  } catch (error) {
    toastFailure('Could not download', error)
  }
}
