/** Dialogs with forms, which most visits never open. */
import { lazily } from '../../lib/lazily.tsx'

export const ResizeDialog = lazily(() => import('./ResizeDialog.tsx'), 'ResizeDialog')
