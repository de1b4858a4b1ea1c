import type { currentUserSecondFactorBegin } from '@purlin/contract/operations/access/second-factors'
import type { Args, Result } from '@purlin/contract/op'
import type { FactorType } from '@purlin/contract/rules/credentials/second-factors'
import type { currentUserSecondFactorConfirm } from '@purlin/contract/operations/access/second-factors'
import { useState, type SubmitEvent } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { hasPasskeys, makePasskey } from './passkey.ts'
import { useStep } from './useStep.ts'

const QrCode = lazily(() => import('./QrCode.tsx'), 'QrCode', <Skeleton className="size-44 rounded-md" />)

type Begun = Result<typeof currentUserSecondFactorBegin>
type Body = Args<typeof currentUserSecondFactorConfirm>['body']

/** Adding a factor, by the signed-in user or during a sign-in: `begin` and `confirm` call the operations of either. */
export interface AddFactorProps {
  type: FactorType
  begin: (type: FactorType) => Promise<Begun>
  confirm: (body: Body) => Promise<void>
}

const labels = { totp: 'Set up an app', passkey: 'Make a passkey' } as const
const leads = {
  totp: 'An app on your phone shows a new code every 30 seconds, which you enter after your password.',
  passkey: 'Your device, your phone or a security key proves that it is you, after your password.',
} as const

/** The names that the form begins with. */
const names = { totp: 'phone', passkey: 'passkey' } as const

export function AddFactor({ type, begin, confirm }: AddFactorProps) {
  const [name, setName] = useState<string>(names[type])
  const [app, setApp] = useState<Extract<Begun, { type: 'totp' }>>()
  const [code, setCode] = useState('')
  const { pending, problem, run } = useStep()
  const lacksName = name === '' ? 'Enter a name' : undefined
  const start = () =>
    run(async () => {
      const begun = await begin(type)
      if (begun.type === 'totp') setApp(begun)
      else await confirm({ name, proof: await makePasskey(begun) })
    })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (pending || lacksName !== undefined) return
    if (!app) start()
    else if (code !== '') run(() => confirm({ name, proof: { type: 'totp', code } }))
  }
  const disabledReason = lacksName ?? (app && code === '' ? 'Enter the code' : missing(type))
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3.5">
      <p className="text-secondary">{leads[type]}</p>
      {app && <Secret {...app} />}
      <TextField
        label="Name"
        required
        value={name}
        onChange={setName}
        hint="Lower case, digits and dashes."
      />
      {app && (
        <TextField
          label="Code of the app"
          name="code"
          mono
          required
          autoComplete="one-time-code"
          value={code}
          onChange={setCode}
        />
      )}
      <Button type="submit" variant="primary" pending={pending} disabledReason={disabledReason}>
        {app ? 'Add' : labels[type]}
      </Button>
      <p role="alert" className="min-h-5 text-danger">
        {problem}
      </p>
    </form>
  )
}

const missing = (type: FactorType): string | undefined =>
  type === 'passkey' && !hasPasskeys() ? 'This browser has no passkeys for this page.' : undefined

function Secret({ secret, address }: { secret: string; address: string }) {
  return (
    <div className="flex flex-wrap items-start gap-5">
      <QrCode text={address} label="QR code with the secret" />
      <div className="min-w-0 flex-1 basis-52">
        <p className="mb-2.5">Scan the code with the app, or enter the secret. It is not shown again.</p>
        <TextField
          label="Secret"
          required
          mono
          copyable
          value={secret}
          onChange={() => undefined}
          disabledReason="The app needs the secret as it is."
        />
      </div>
    </div>
  )
}
