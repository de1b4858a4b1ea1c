import { currentUserView, loginLocal } from '@purlin/contract/operations/access/sessions'
import { useId, useState, type SubmitEvent } from 'react'
import { queryClient, query, useApi } from '#/api/query.ts'
import { failure } from '#/api/errors.ts'
import { type ApiError } from '#/api/send.ts'
import { leaveForSignIn, signedIn, type SessionProblem } from '#/api/session.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

// A wrong password gets a generic message; other errors have their own.
const complaint = (error: ApiError) => ({
  ...failure(error),
  ...(error.status === 401 ? { message: 'Could not sign in. Please try again.' } : {}),
})

const words = {
  ended: {
    title: 'Your session has ended',
    lead: '',
    toKeep: 'to keep your changes, then submit the form again.',
    leave: { label: 'Go to the sign-in page', run: leaveForSignIn },
  },
  otherUser: {
    title: 'Another user has signed in',
    lead: 'Another user signed in from another tab of this browser. This page sends nothing until you decide. ',
    toKeep:
      'to continue here, or reload the page to continue as the other user. A reload discards unsaved changes.',
    leave: { label: 'Reload the page', run: () => window.location.reload() },
  },
}

/** Signs in again without leaving the page: the session ended with unsaved changes, or another user has signed in. */
export function SessionDialog({ problem, onDismiss }: { problem: SessionProblem; onDismiss: () => void }) {
  const { title, lead, toKeep, leave } = words[problem]
  const me = queryClient.getQueryData(query(currentUserView, { query: {} }).queryKey)
  const [password, setPassword] = useState('')
  const id = useId()
  const login = useApi(loginLocal, { success: signedIn })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (me && password !== '')
      login.mutate({ params: { siloName: me.siloName }, body: { username: me.displayName, password } })
  }
  const footer = (
    <>
      <Button onClick={leave.run}>{leave.label}</Button>
      <Button
        type="submit"
        form={id}
        variant="primary"
        pending={login.isPending}
        disabledReason={password === '' ? 'Enter your password' : undefined}
      >
        Sign in
      </Button>
    </>
  )
  return (
    <Modal title={title} role="alertdialog" onDismiss={onDismiss} footer={footer}>
      <ModalSection>
        <form id={id} onSubmit={submit} className="flex flex-col gap-3.5">
          <FormErrorBanner issues={login.error ? [complaint(login.error)] : []} />
          <p>
            {lead}
            Sign in again as <b className="font-semibold">{me?.displayName ?? 'the same user'}</b> {toKeep}
          </p>
          <TextField
            label="Password"
            type="password"
            autoComplete="current-password"
            required
            value={password}
            onChange={setPassword}
          />
        </form>
      </ModalSection>
    </Modal>
  )
}
