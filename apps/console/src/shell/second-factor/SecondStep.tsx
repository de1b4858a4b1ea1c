import {
  loginSecondFactor,
  loginSecondFactorBegin,
  loginSecondFactorConfirm,
  loginSecondFactorView,
} from '@purlin/contract/operations/access/second-factor-login'
import type { Args, Result } from '@purlin/contract/op'
import type { FactorType } from '@purlin/contract/rules/credentials/second-factors'
import { useEffect, useState, type SubmitEvent } from 'react'
import { send } from '#/api/send.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Spinner } from '#/ui/feedback/Spinner.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { AddFactor } from './AddFactor.tsx'
import { complaint, isOver } from './complaint.ts'
import { answerWithPasskey, hasPasskeys } from './passkey.ts'
import { RecoveryCodes } from './RecoveryCodes.tsx'
import { useStep } from './useStep.ts'

type Challenge = Result<typeof loginSecondFactorView>
type Proof = Args<typeof loginSecondFactor>['body']

interface StepProps {
  silo: string
  /** The user has signed in. */
  onDone: () => void
  /** The sign-in has to begin again with the password. */
  onOver: (problem: string) => void
}

/** The second step of a sign-in, once the password was right. */
export function SecondStep(props: StepProps) {
  const { silo, onOver } = props
  const [challenge, setChallenge] = useState<Challenge>()
  useEffect(() => {
    let isGone = false
    const read = async () => {
      try {
        const found = await send(loginSecondFactorView, { params: { siloName: silo } })
        if (!isGone) setChallenge(found)
      } catch (error) {
        if (!isGone) onOver(complaint(error))
      }
    }
    void read()
    return () => {
      isGone = true
    }
  }, [silo, onOver])
  if (!challenge) return <Spinner />
  return challenge.step === 'prove' ? (
    <Prove {...props} challenge={challenge} />
  ) : (
    <Add {...props} types={challenge.types} />
  )
}

function Prove({ silo, challenge, onDone, onOver }: StepProps & { challenge: Challenge }) {
  const { types, passkey } = challenge
  const [isRecovery, setRecovery] = useState(types.length === 0)
  const [code, setCode] = useState('')
  const { pending, problem, run } = useStep((error) => isOver(error) && onOver(complaint(error)))
  const prove = (proof: () => Promise<Proof> | Proof) =>
    run(async () => {
      await send(loginSecondFactor, { params: { siloName: silo }, body: await proof() })
      onDone()
    })
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    event.stopPropagation()
    if (code !== '' && !pending) prove(() => ({ type: isRecovery ? 'recovery_code' : 'totp', code }))
  }
  const hasCodes = isRecovery || types.includes('totp')
  const switchTo = (recovery: boolean) => {
    setRecovery(recovery)
    setCode('')
  }
  return (
    <form onSubmit={submit} noValidate className="flex flex-col gap-3.5">
      <p className="text-secondary">Your password is right. Prove your second factor.</p>
      {passkey && !isRecovery && (
        <Button
          variant={hasCodes ? 'secondary' : 'primary'}
          className="w-full justify-center"
          pending={pending}
          disabledReason={hasPasskeys() ? undefined : 'This browser has no passkeys for this page.'}
          onClick={() => prove(() => answerWithPasskey(passkey))}
        >
          Use a passkey
        </Button>
      )}
      {hasCodes && (
        <>
          <CodeField key={String(isRecovery)} isRecovery={isRecovery} value={code} onChange={setCode} />
          <Button
            type="submit"
            variant="primary"
            pending={pending}
            disabledReason={code === '' ? 'Enter a code' : undefined}
            className="w-full justify-center"
          >
            Continue
          </Button>
        </>
      )}
      {types.length > 0 && (
        <Button variant="ghost" onClick={() => switchTo(!isRecovery)}>
          {isRecovery ? 'Use your second factor' : 'Use a recovery code'}
        </Button>
      )}
      <p role="alert" className="min-h-5 text-center text-danger">
        {problem}
      </p>
    </form>
  )
}

function CodeField({
  isRecovery,
  ...field
}: {
  isRecovery: boolean
  value: string
  onChange: (code: string) => void
}) {
  const [input, setInput] = useState<HTMLInputElement | null>(null)
  useEffect(() => input?.focus(), [input])
  return (
    <TextField
      {...field}
      ref={setInput}
      label={isRecovery ? 'Recovery code' : 'Code of the app'}
      name="code"
      mono
      required
      autoComplete={isRecovery ? 'off' : 'one-time-code'}
    />
  )
}

const nameOfType = { totp: 'An app with codes', passkey: 'A passkey' } as const

function Add({ silo, types, onDone }: StepProps & { types: readonly FactorType[] }) {
  const [type, setType] = useState<FactorType>('totp')
  const [codes, setCodes] = useState<readonly string[]>()
  const params = { siloName: silo }
  if (codes)
    return (
      <div className="flex flex-col gap-5">
        <RecoveryCodes codes={codes} />
        <Button variant="primary" onClick={onDone}>
          Continue
        </Button>
      </div>
    )
  return (
    <div className="flex flex-col gap-5">
      <p>This silo requires a second factor, and you have none. Add one to sign in.</p>
      {types.length > 1 && (
        <div role="group" aria-label="Second factor" className="flex flex-wrap gap-2">
          {types.map((one) => (
            <Button key={one} aria-pressed={one === type} onClick={() => setType(one)}>
              {nameOfType[one]}
            </Button>
          ))}
        </div>
      )}
      <AddFactor
        key={type}
        type={type}
        begin={(chosen) => send(loginSecondFactorBegin, { params, body: { type: chosen } })}
        confirm={async (body) => setCodes((await send(loginSecondFactorConfirm, { params, body })).codes)}
      />
    </div>
  )
}
