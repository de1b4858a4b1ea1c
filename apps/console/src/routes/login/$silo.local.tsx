import { loginLocal } from '@purlin/contract/operations/session'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import { useEffect, useId, useRef, useState, type FormEvent } from 'react'
import { ApiError, queryClient, useApi } from '../../api.ts'
import { SignInFrame } from '../../parts/SignInFrame.tsx'
import { safeRedirect } from '../../session.ts'
import { Button } from '../../ui/Button.tsx'
import { TextField } from '../../ui/field/TextField.tsx'
import { addToast } from '../../ui/toast.ts'

export const Route = createFileRoute('/login/$silo/local')({
  validateSearch: (search: Record<string, unknown>): { redirect_uri?: string } =>
    search['redirect_uri'] === undefined ? {} : { redirect_uri: safeRedirect(search['redirect_uri']) },
  component: LoginPage,
})

/** What is said of a refused sign-in. Wrong credentials get the one sentence that tells nothing. */
function complaint(error: ApiError | null): string | undefined {
  if (!error) return undefined
  if (error.status === 429) return 'Too many attempts. Please wait a little and try again.'
  if (error.status === 404) return 'There is no such silo, or it does not sign in with passwords.'
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
  const errorId = useId()
  const login = useApi(loginLocal, {
    success: async () => {
      queryClient.clear()
      addToast({ content: 'Logged in' })
      await navigate({ href: safeRedirect(target) })
    },
  })
  useEffect(() => user.current?.focus(), [])
  const missing = (label: string, value: string) => (tried && value === '' ? `${label} is required` : undefined)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setTried(true)
    if (form.username && form.password) login.mutate({ params: { siloName: silo }, body: form })
  }
  const problem = login.isPending ? undefined : complaint(login.error)
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3.5">
      <TextField
        ref={user} label="Username" name="username" placeholder="Username" autoComplete="username" required
        value={form.username} error={missing('Username', form.username)}
        onChange={(username) => setForm({ ...form, username })}
      />
      <TextField
        label="Password" name="password" placeholder="Password" type="password" autoComplete="current-password" required
        value={form.password} error={missing('Password', form.password)}
        onChange={(password) => setForm({ ...form, password })}
      />
      <Button type="submit" variant="primary" pending={login.isPending} className="mt-1 w-full justify-center">
        Sign in
      </Button>
      <p role="alert" id={errorId} className="min-h-5 text-center text-danger">
        {problem}
      </p>
    </form>
  )
}
