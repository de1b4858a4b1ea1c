import { logout } from '@purlin/contract/operations/session'
import { failure, useApi } from '../api.ts'
import { addToast } from '../ui/toast.ts'

/** Ends the session and leaves for the sign-in page, without a way back. */
export function useSignOut(): { run: () => void; pending: boolean } {
  const { mutate, isPending } = useApi(logout, {
    success: () => window.location.assign('/login'),
    error: (error) => addToast({ variant: 'error', title: 'Could not sign out', content: failure(error).message, requestId: error.requestId }),
  })
  return { run: () => mutate({}), pending: isPending }
}
