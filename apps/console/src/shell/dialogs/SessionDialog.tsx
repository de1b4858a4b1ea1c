import { currentUserView } from '@purlin/contract/operations/access/current-user'
import { loginLocal } from '@purlin/contract/operations/access/sessions'
import { useId, useState, type SubmitEvent } from 'react'
import { queryClient, query, useApi } from '#/api/query.ts'
import { failure } from '#/api/errors.ts'
import { type ApiError } from '#/api/send.ts'
import { leaveForSignIn, signedIn } from '#/api/session.ts'
import { Button } from '#/ui/button/Button.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'

// A wrong password gets a generic message; other errors have their own.
const complaint = (error: ApiError) => ({
  ...failure(error),
  ...(error.status === 401 ? { message: 'Could not sign in. Please try again.' } : {}),
})

/** Signs in again without leaving the page after the session ended with unsaved changes. */
export function SessionDialog({ onDone }: { onDone: () => void }) {
  const me = queryClient.getQueryData(query(currentUserView, {}).queryKey)
  const [password, setPassword] = useState('')
  const id = useId()
  const login = useApi(loginLocal, {
    success: () => {
      onDone()
      signedIn()
    },
  })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (me && password !== '')
      login.mutate({ params: { siloName: me.siloName }, body: { username: me.displayName, password } })
  }
  const footer = (
    <>
      <Button onClick={leaveForSignIn}>Go to the sign-in page</Button>
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
    <Modal title="Your session has ended" role="alertdialog" onDismiss={onDone} footer={footer}>
      <ModalSection>
        <form id={id} onSubmit={submit} className="flex flex-col gap-3.5">
          <FormErrorBanner issues={login.error ? [complaint(login.error)] : []} />
          <p>
            Sign in again as <b className="font-semibold">{me?.displayName ?? 'the same user'}</b> to keep
            your changes, then submit the form again.
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
