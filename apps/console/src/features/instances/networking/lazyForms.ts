/** Forms of the Networking tab, which most visits never open. */
import { lazyDialog } from '#/ui/overlay/lazyDialog.tsx'

export const AttachEphemeralIpDialog = lazyDialog(
  () => import('./AttachEphemeralIpDialog.tsx'),
  'AttachEphemeralIpDialog',
)
export const AttachFloatingIpDialog = lazyDialog(
  () => import('#/features/floating-ips/AttachFloatingIpDialog.tsx'),
  'AttachFloatingIpDialog',
)
export const NicForm = lazyDialog(() => import('./NicForm.tsx'), 'NicForm')
export const EditNicForm = lazyDialog(() => import('./EditNicForm.tsx'), 'EditNicForm')
