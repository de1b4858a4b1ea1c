import { signInTestBegin } from '@purlin/contract/operations/silos/sign-in-tests'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { ApiError, send } from '#/api/send.ts'
import { transport } from '#/api/transport.ts'
import { Button } from '#/ui/button/Button.tsx'
import { addToast } from '#/ui/feedback/toast.ts'

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
    if (!tab) return complain('Your browser has blocked the new tab. Allow it for this site, then try again.')
    // The page of the provider must not reach this one.
    tab.opener = null
    setPending(true)
    try {
      const { url } = await send(signInTestBegin, { params: { provider }, query: { silo } })
      tab.location.replace(url)
    } catch (error) {
      tab.close()
      if (!(error instanceof ApiError)) throw error
      complain(failure(error).message)
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

const complain = (content: string) =>
  addToast({ variant: 'error', title: 'Could not test the sign-in', content })
