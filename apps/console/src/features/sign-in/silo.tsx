import { createFileRoute } from '@tanstack/react-router'
import { buttonClass } from '#/ui/button/Button.tsx'
import { cx } from '#/lib/text.ts'
import { ProviderLink } from './ProviderLink.tsx'
import { providerSearch } from './providerSearch.ts'
import { SignInFrame } from './SignInFrame.tsx'
import { useLoginOptions } from '#/api/loginOptions.ts'

export const Route = createFileRoute('/login/$silo/')({
  validateSearch: providerSearch,
  component: SiloPage,
})

/** All ways to sign in to a silo. A silo without an identity provider has none. */
function SiloPage() {
  const { silo } = Route.useParams()
  return (
    <SignInFrame silo={silo}>
      <Ways silo={silo} />
    </SignInFrame>
  )
}

function Ways({ silo }: { silo: string }) {
  const { redirect_uri: target } = Route.useSearch()
  const options = useLoginOptions(silo)
  if (options === 'loading') return <p className="text-secondary">Loading…</p>
  if (options === 'missing') return <p role="alert">There is no silo of this name. Check the address.</p>
  if (options === 'unreachable')
    return <p role="alert">Could not reach the server. Check the connection and load the page again.</p>
  const { password, providers } = options
  if (password) {
    const query = target === undefined ? '' : `?redirect_uri=${encodeURIComponent(target)}`
    return (
      <a
        href={`/login/${encodeURIComponent(silo)}/local${query}`}
        className={cx(buttonClass('primary'), 'w-full justify-center')}
      >
        Sign in with a password
      </a>
    )
  }
  if (providers.length === 0)
    return (
      <p role="alert">
        Users cannot sign in to this silo yet, because it has no identity provider. An operator of the system
        adds one.
      </p>
    )
  return (
    <nav aria-label="Identity providers" className="flex flex-col gap-2">
      {providers.map((one) => (
        <ProviderLink key={one.name} silo={silo} provider={one} target={target} variant="primary" />
      ))}
    </nav>
  )
}
