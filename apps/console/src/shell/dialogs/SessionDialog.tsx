import { currentUserView, loginLocal } from '@purlin/contract/operations/access/sessions'
import { secondFactorCode } from '@purlin/contract/http'
import type { Result } from '@purlin/contract/op'
import { useCallback, useId, useState, type SubmitEvent } from 'react'
import { queryClient, query, useApi } from '#/api/query.ts'
import { failure } from '#/api/errors.ts'
import { useLoginOptions } from '#/api/loginOptions.ts'
import { type ApiError } from '#/api/send.ts'
import { leaveForSignIn, signedIn, type SessionProblem } from '#/api/session.ts'
import type { NamedProvider } from '#/lib/addresses.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { FormRefusal } from '#/ui/form/FormRefusal.tsx'
import { Modal, ModalSection } from '#/ui/overlay/Modal.tsx'
import { ProviderAgain } from './ProviderAgain.tsx'

const SecondStep = lazily(() => import('../second-factor/SecondStep.tsx'), 'SecondStep')

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
  tooOld: {
    title: 'Sign in again',
    lead: 'This change needs a sign-in within the last 15 minutes. ',
    toKeep: 'to go on, then try again.',
    leave: { label: 'Cancel', run: undefined },
  },
}

/** Signs in again without leaving the page: the session ended with unsaved changes, or another user has signed in. */
export function SessionDialog({ problem, onDismiss }: { problem: SessionProblem; onDismiss: () => void }) {
  const me = queryClient.getQueryData(query(currentUserView, { query: {} }).queryKey)
  const options = useLoginOptions(me?.siloName ?? '')
  if (me && options === 'loading') return null
  return me && typeof options === 'object' && !options.password ? (
    <WithProvider {...{ problem, onDismiss, me }} providers={options.providers} />
  ) : (
    <WithPassword {...{ problem, onDismiss, me }} />
  )
}

interface Asking {
  problem: SessionProblem
  onDismiss: () => void
  me: Result<typeof currentUserView> | undefined
}

const Request = ({ problem, me }: Pick<Asking, 'problem' | 'me'>) => (
  <p>
    {words[problem].lead}
    Sign in again as <b className="font-semibold">{me?.displayName ?? 'the same user'}</b>{' '}
    {words[problem].toKeep}
  </p>
)

/** The session that begins in the other tab is this page's as well, which finds it by itself. */
function WithProvider({
  problem,
  onDismiss,
  me,
  providers,
}: Asking & { me: Result<typeof currentUserView>; providers: readonly NamedProvider[] }) {
  const { title, leave } = words[problem]
  const footer = <Button onClick={leave.run ?? onDismiss}>{leave.label}</Button>
  return (
    <Modal title={title} role="alertdialog" onDismiss={onDismiss} footer={footer}>
      <ModalSection>
        <div className="flex flex-col gap-3.5">
          <Request problem={problem} me={me} />
          {providers.length > 0 ? (
            <ProviderAgain silo={me.siloName} providers={providers} />
          ) : (
            <p>Your silo has no identity provider at the moment. Ask an administrator to add one.</p>
          )}
        </div>
      </ModalSection>
    </Modal>
  )
}

function WithPassword({ problem, onDismiss, me }: Asking) {
  const { title, leave } = words[problem]
  const [password, setPassword] = useState('')
  const id = useId()
  const [isSecondStep, setSecondStep] = useState(false)
  const [over, setOver] = useState<string>()
  const startOver = useCallback((why: string) => {
    setSecondStep(false)
    setOver(why)
  }, [])
  const login = useApi(loginLocal, {
    success: signedIn,
    error: ({ code }) => {
      setOver(undefined)
      setSecondStep(code === secondFactorCode)
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
      <Button onClick={leave.run ?? onDismiss}>{leave.label}</Button>
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
  if (me && isSecondStep)
    return (
      <Modal title={title} role="alertdialog" onDismiss={onDismiss}>
        <ModalSection>
          <SecondStep silo={me.siloName} onDone={signedIn} onOver={startOver} />
        </ModalSection>
      </Modal>
    )
  return (
    <Modal
      title={title}
      role="alertdialog"
      onDismiss={onDismiss}
      refusal={
        <FormRefusal
          problem={over !== undefined ? { message: over } : login.error ? complaint(login.error) : undefined}
        />
      }
      footer={footer}
    >
      <ModalSection>
        <form id={id} onSubmit={submit} className="flex flex-col gap-3.5">
          <Request problem={problem} me={me} />
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
