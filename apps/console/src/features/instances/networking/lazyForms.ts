/** Forms of the Networking tab, which most visits never open. */
import { lazily } from '#/lib/lazily.tsx'

export const AttachEphemeralIpDialog = lazily(
  () => import('./AttachEphemeralIpDialog.tsx'),
  'AttachEphemeralIpDialog',
)
export const AttachFloatingIpDialog = lazily(
  () => import('#/features/floating-ips/AttachFloatingIpDialog.tsx'),
  'AttachFloatingIpDialog',
)
export const NicForm = lazily(() => import('./NicForm.tsx'), 'NicForm')
export const EditNicForm = lazily(() => import('./EditNicForm.tsx'), 'EditNicForm')
