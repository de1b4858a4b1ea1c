import { lazily } from '#/lib/lazily.tsx'

/** Attaches a floating IP to an instance, or moves it there; loaded when it is opened. */
export const AttachToInstanceDialog = lazily(
  () => import('./AttachToInstanceDialog.tsx'),
  'AttachToInstanceDialog',
)
