/** The dialog that most visits never open. */
import { lazily } from '#/lib/lazily.tsx'

export const TakeDialog = lazily(() => import('./TakeDialog.tsx'), 'TakeDialog')
