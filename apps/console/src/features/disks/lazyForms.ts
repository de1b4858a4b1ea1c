/** Forms and the panel about disks, which most visits never open. */
import { lazily } from '#/lib/lazily.tsx'

export const AttachDiskDialog = lazily(() => import('./AttachDiskDialog.tsx'), 'AttachDiskDialog')
export const DiskForm = lazily(() => import('./DiskForm.tsx'), 'DiskForm')
export const DiskPanel = lazily(() => import('./DiskPanel.tsx'), 'DiskPanel')
