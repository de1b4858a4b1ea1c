import { useLoginOptions } from '#/api/loginOptions.ts'
import { ProviderLink } from './ProviderLink.tsx'
import { SignInFrame } from './SignInFrame.tsx'
import { transport } from '#/api/transport.ts'
import type { NamedProvider } from '#/lib/addresses.ts'
import type { ProviderSearch } from './providerSearch.ts'

/** Sign-in with an identity provider, and with the others of the silo. */
export function ProviderSignIn({
  silo,
  provider,
  search: { redirect_uri: target, failed, request_id: request },
}: {
  silo: string
  provider: NamedProvider
  search: ProviderSearch
}) {
  // Without them, the page is that of one provider.
  const options = useLoginOptions(silo)
  const all = typeof options === 'object' ? options.providers : []
  const others = all.filter(({ name }) => name !== provider.name)
  if (transport().preview)
    return (
      <SignInFrame silo={silo}>
        <p>The preview cannot sign in with {provider.name}, because it runs in this page alone.</p>
      </SignInFrame>
    )
  return (
    <SignInFrame silo={silo}>
      {failed !== undefined && <Failure reason={failed} provider={provider.name} request={request} />}
      <ProviderLink silo={silo} provider={provider} target={target} variant="primary" />
      {others.length > 0 && (
        <nav aria-label="Other identity providers" className="flex flex-col gap-2">
          {others.map((one) => (
            <ProviderLink key={one.name} silo={silo} provider={one} target={target} variant="secondary" />
          ))}
        </nav>
      )}
    </SignInFrame>
  )
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
  if (reason === 'full')
    return 'There is no room for your account or your groups. Ask an administrator of the silo.'
  return 'Signing in is not possible at the moment. Please try again in a minute.'
}
