/** Forms of the Storage tab, which most visits never open. */
import { lazily } from '../../../../../lib/lazily.tsx'

export const AttachDiskDialog = lazily(
  () => import('../../../../../parts/disk/AttachDiskDialog.tsx'),
  'AttachDiskDialog',
)
export const DiskForm = lazily(() => import('../../../../../parts/disk/DiskForm.tsx'), 'DiskForm')
