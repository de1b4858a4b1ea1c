import { deviceAuthConfirm } from '@purlin/contract/operations/access/access-tokens'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { createFileRoute, useNavigate } from '@tanstack/react-router'
import TriangleAlert from 'lucide-react/icons/triangle-alert'
import { useState, type SubmitEvent } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { ApiError, send } from '#/api/send.ts'
import { Button } from '#/ui/button/Button.tsx'
import { CodeInput } from './CodeInput.tsx'
import { codeOf, noLetters } from './codeBoxes.ts'
import { DeviceFrame } from './DeviceFrame.tsx'

export const Route = createFileRoute('/device/verify')({
  loader: () => send(currentUserView, { query: {} }),
  component: VerifyPage,
})

const complaint = (error: unknown): string =>
  error instanceof ApiError && error.status === 404 ? 'Code is invalid' : errorMessage(error)

/** Where a person enters the code that a program shows. */
function VerifyPage() {
  const { displayName, siloName } = Route.useLoaderData()
  const navigate = useNavigate()
  const [boxes, setBoxes] = useState(noLetters)
  const [isPending, setPending] = useState(false)
  const [problem, setProblem] = useState<string>()
  const code = codeOf(boxes)
  const confirm = async (userCode: string) => {
    setPending(true)
    setProblem(undefined)
    try {
      await send(deviceAuthConfirm, { body: { userCode } })
      await navigate({ to: '/device/success' })
    } catch (error) {
      setProblem(complaint(error))
      setPending(false)
    }
  }
  const submit = (event: SubmitEvent) => {
    event.preventDefault()
    if (code !== undefined && !isPending) void confirm(code)
  }
  return (
    <DeviceFrame>
      <form onSubmit={submit} noValidate className="flex flex-col gap-5 text-center">
        <div>
          <h1 className="text-lg font-semibold">Device Authentication</h1>
          <p className="mt-1.5 text-secondary">Enter the code shown on your device</p>
        </div>
        <CodeInput boxes={boxes} onChange={setBoxes} />
        <p className="text-secondary">
          The device will be able to do everything that{' '}
          <b className="font-semibold text-ink">{displayName}</b> may do in silo{' '}
          <b className="font-semibold text-ink">{siloName}</b>. Go on only if you have just asked it to sign
          in.
        </p>
        <div className="flex flex-col">
          <Button
            type="submit"
            variant="primary"
            pending={isPending}
            disabledReason={code === undefined ? 'Enter all eight letters first' : undefined}
            className="w-full justify-center"
          >
            Log in on device
          </Button>
          <p role="alert" className="mt-2 flex min-h-5 items-center justify-center gap-1.5 text-danger">
            {problem !== undefined && <TriangleAlert size={14} aria-hidden />}
            {problem}
          </p>
        </div>
      </form>
    </DeviceFrame>
  )
}
