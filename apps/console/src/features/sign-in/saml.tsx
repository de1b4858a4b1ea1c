import { loginOptions } from '@purlin/contract/operations/access/sessions'
import { createFileRoute } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { send } from '#/api/send.ts'
import { safeRedirect } from '#/api/session.ts'
import { transport } from '#/api/transport.ts'
import { buttonClass } from '#/ui/button/Button.tsx'
import { cx } from '#/lib/text.ts'
import { SignInFrame } from './SignInFrame.tsx'

export interface SamlSearch {
  redirect_uri?: string
  failed?: string
  request_id?: string
}
const textIn = (value: unknown): string => (typeof value === 'string' ? value.trim() : '')

export const Route = createFileRoute('/login/$silo/saml/$provider')({
  validateSearch: (search: Record<string, unknown>): SamlSearch => {
    const [target, failed, request] = ['redirect_uri', 'failed', 'request_id'].map((key) =>
      textIn(search[key]),
    )
    return {
      ...(target ? { redirect_uri: safeRedirect(target) } : {}),
      ...(failed ? { failed } : {}),
      ...(request ? { request_id: request } : {}),
    }
  },
  component: SamlPage,
})

/** The address that leads to an identity provider. Slashes of the way back stay as they are. */
const linkTo = (silo: string, provider: string, target: string | undefined): string => {
  const query =
    target === undefined ? '' : `?redirect_uri=${encodeURIComponent(target).replaceAll('%2F', '/')}`
  return `/login/${encodeURIComponent(silo)}/saml/${encodeURIComponent(provider)}/redirect${query}`
}

/** Sign-in with an identity provider, and with the others of the silo. */
function SamlPage() {
  const { silo, provider } = Route.useParams()
  const { redirect_uri: target, failed, request_id: request } = Route.useSearch()
  const others = useOthers(silo, provider)
  const link = (name: string, variant: 'primary' | 'secondary') => (
    <a
      key={name}
      href={linkTo(silo, name, target)}
      className={cx(
        buttonClass(variant),
        'h-auto! min-h-control w-full justify-center py-1.5 text-center whitespace-normal! wrap-anywhere',
      )}
    >
      Sign in with {name}
    </a>
  )
  if (transport().preview)
    return (
      <SignInFrame silo={silo}>
        <p>The preview cannot sign in with {provider}, because it runs in this page alone.</p>
      </SignInFrame>
    )
  return (
    <SignInFrame silo={silo}>
      {failed !== undefined && <Failure reason={failed} provider={provider} request={request} />}
      {link(provider, 'primary')}
      {others.length > 0 && (
        <nav aria-label="Other identity providers" className="flex flex-col gap-2">
          {others.map((name) => link(name, 'secondary'))}
        </nav>
      )}
    </SignInFrame>
  )
}

/** The names of the silo's other providers, once they are known. Without them, the page is that of one. */
function useOthers(silo: string, provider: string): readonly string[] {
  const [names, setNames] = useState<readonly string[]>([])
  useEffect(() => {
    let isHere = true
    const take = async () => {
      const { providers } = await send(loginOptions, { params: { siloName: silo } })
      if (isHere) setNames(providers.map(({ name }) => name))
    }
    take().catch(() => undefined)
    return () => void (isHere = false)
  }, [silo])
  return names.filter((name) => name !== provider)
}

function Failure({
  reason,
  provider,
  request,
}: {
  reason: string
  provider: string
  request: string | undefined
}) {
  const isUuid = /^[0-9a-f-]{36}$/.test(request ?? '')
  return (
    <div role="alert" className="flex flex-col gap-1.5">
      <p className="text-danger">{complaint(reason, provider)}</p>
      {isUuid && (
        <p className="text-secondary">
          An administrator finds the reason in the audit log:{' '}
          <span className="mono wrap-anywhere">{request}</span>
        </p>
      )}
    </div>
  )
}

function complaint(reason: string, provider: string): string {
  if (reason === 'unknown')
    return 'You have no account in this silo. Ask an administrator of the silo for one.'
  if (reason === 'refused') return `The answer of ${provider} was not accepted. Please try again.`
  return 'Signing in is not possible at the moment. Please try again in a minute.'
}
