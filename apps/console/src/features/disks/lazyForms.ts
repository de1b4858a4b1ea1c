/** Forms and the panel about disks, which most visits never open. */
import { lazyDialog } from '#/ui/overlay/lazyDialog.tsx'

export const AttachDiskDialog = lazyDialog(() => import('./AttachDiskDialog.tsx'), 'AttachDiskDialog')
export const DiskForm = lazyDialog(() => import('./DiskForm.tsx'), 'DiskForm')
export const DiskPanel = lazyDialog(() => import('./DiskPanel.tsx'), 'DiskPanel')
