import { signInTestBegin } from '@purlin/contract/operations/silos/sign-in-tests'
import { useState } from 'react'
import { ExplainedError } from '#/api/errors.ts'
import { ApiError, send } from '#/api/send.ts'
import { transport } from '#/api/transport.ts'
import { toastFailure } from '#/resource/actions/toasts.tsx'
import { Button } from '#/ui/button/Button.tsx'

/** Opens a tab that signs in with a provider, and then shows the outcome. */
export function TestSignIn({
  silo,
  provider,
  label = 'Test sign-in',
  disabledReason,
}: {
  silo: string
  provider: string
  label?: string
  disabledReason: string | undefined
}) {
  const [isPending, setPending] = useState(false)
  const begin = async () => {
    // Browsers allow new tabs only within the press itself.
    const tab = window.open('', '_blank')
    if (!tab) return complain(new ExplainedError(blocked))
    // The page of the provider must not reach this one.
    tab.opener = null
    setPending(true)
    try {
      const { url } = await send(signInTestBegin, { params: { provider }, query: { silo } })
      tab.location.replace(url)
    } catch (error) {
      tab.close()
      if (!(error instanceof ApiError)) throw error
      complain(error)
    } finally {
      setPending(false)
    }
  }
  const refused = transport().preview
    ? 'The preview cannot sign in with identity providers, because it runs in this page alone.'
    : disabledReason
  return (
    <Button onClick={() => void begin()} pending={isPending} disabledReason={refused}>
      {label}
    </Button>
  )
}

const blocked = 'Your browser has blocked the new tab. Allow it for this site, then try again.'
const complain = (error: unknown) => toastFailure('Could not test the sign-in', error)
