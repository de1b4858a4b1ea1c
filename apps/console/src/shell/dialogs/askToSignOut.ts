import { confirmAction } from '#/resource/actions/confirm.ts'
import { releasePage } from '#/resource/list/holdPage.ts'

/** Asks before an upload is interrupted. */
export const askToSignOut = (signOut: () => Promise<void>): void =>
  confirmAction({
    modalTitle: 'Sign out during an upload?',
    confirmLabel: 'Sign out',
    modalContent: 'The upload stops. It can be resumed in this browser: choose the same file again.',
    errorTitle: 'Could not sign out',
    actionType: 'danger',
    command: null,
    doAction: () => {
      releasePage()
      return signOut()
    },
  })
