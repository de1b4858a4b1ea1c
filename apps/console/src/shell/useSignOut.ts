import { logout } from '@purlin/contract/operations/sessions'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { ApiError, send } from '#/api/send.ts'
import { heldPage, releasePage } from '#/resource/activity.ts'
import { confirmAction } from '#/resource/confirm.ts'
import { addToast } from '#/ui/toast.ts'

/** Ends the session and goes to the sign-in page, which cannot be left by going back. */
export function useSignOut(): { run: () => void; pending: boolean } {
  const [pending, setPending] = useState(false)
  const run = async () => {
    setPending(true)
    try {
      await send(logout, {})
      releasePage()
      window.location.assign('/login')
    } catch (error) {
      const requestId = error instanceof ApiError ? error.requestId : undefined
      addToast({ variant: 'error', title: 'Could not sign out', content: failure(error).message, requestId })
      setPending(false)
    }
  }
  return { run: () => (heldPage.get() > 0 ? askFirst(run) : void run()), pending }
}

const askFirst = (run: () => Promise<void>) =>
  confirmAction({
    modalTitle: 'Sign out during an upload?',
    modalContent: 'The upload stops. It can be resumed in this browser: choose the same file again.',
    errorTitle: 'Could not sign out',
    actionType: 'danger',
    doAction: run,
  })
