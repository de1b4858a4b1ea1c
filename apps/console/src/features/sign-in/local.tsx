import { secondFactorCode } from '@purlin/contract/http'
import { loginLocal } from '@purlin/contract/operations/access/sessions'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useCallback, useEffect, useRef, useState, type SubmitEvent } from 'react'
import { SignInFrame } from './SignInFrame.tsx'
import { ApiError, send } from '#/api/send.ts'
import { safeRedirect } from '#/api/session.ts'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

// Few users need it.
const SecondStep = lazily(() => import('#/shell/second-factor/SecondStep.tsx'), 'SecondStep')

export const Route = createFileRoute('/login/$silo/local')({
  validateSearch: (search: Record<string, unknown>): { redirect_uri?: string } =>
    search['redirect_uri'] === undefined ? {} : { redirect_uri: safeRedirect(search['redirect_uri']) },
  component: LoginPage,
})

/** The message of a refused sign-in. Wrong credentials get one sentence that reveals nothing. */
function complaint(error: unknown): string {
  const status = error instanceof ApiError ? error.status : 0
  if (status === 0) return 'Could not reach the server. Check the connection and try again.'
  if (status === 429) return 'Too many attempts. Please wait a little and try again.'
  if (status === 404) return 'The silo does not exist or does not use passwords.'
  return 'Could not sign in. Please try again.'
}

function LoginPage() {
  const { silo } = Route.useParams()
  return (
    <SignInFrame silo={silo}>
      <LoginForm silo={silo} />
    </SignInFrame>
  )
}

function LoginForm({ silo }: { silo: string }) {
  const { redirect_uri: target } = Route.useSearch()
  const navigate = useNavigate()
  const [form, setForm] = useState({ username: '', password: '' })
  const [tried, setTried] = useState(false)
  const user = useRef<HTMLInputElement>(null)
  const [pending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const [isSecondStep, setSecondStep] = useState(false)
  const enter = async () => {
    addToast({ content: 'Logged in' })
    await navigate({ href: safeRedirect(target) })
  }
  const startOver = useCallback((why: string) => {
    setSecondStep(false)
    setProblem(why)
  }, [])
  const signIn = async () => {
    setPending(true)
    setProblem(undefined)
    try {
      await send(loginLocal, { params: { siloName: silo }, body: form })
      await enter()
    } catch (error) {
      if (error instanceof ApiError && error.code === secondFactorCode) setSecondStep(true)
      else setProblem(complaint(error))
    } finally {
      setPending(false)
    }
  }
  useEffect(() => user.current?.focus(), [])
  const missing = (label: string, value: string) =>
    tried && value === '' ? `${label} is required` : undefined
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    setTried(true)
    if (form.username && form.password) void signIn()
  }
  if (isSecondStep) return <SecondStep silo={silo} onDone={() => void enter()} onOver={startOver} />
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3.5">
      <TextField
        ref={user}
        label="Username"
        name="username"
        placeholder="Username"
        autoComplete="username"
        required
        value={form.username}
        error={missing('Username', form.username)}
        onChange={(username) => setForm({ ...form, username })}
      />
      <TextField
        label="Password"
        name="password"
        placeholder="Password"
        type="password"
        autoComplete="current-password"
        required
        value={form.password}
        error={missing('Password', form.password)}
        onChange={(password) => setForm({ ...form, password })}
      />
      <Button type="submit" variant="primary" pending={pending} className="mt-1 w-full justify-center">
        Sign in
      </Button>
      <p role="alert" className="min-h-5 text-center text-danger">
        {problem}
      </p>
    </form>
  )
}
