import { providerSignIn } from '#/api/loginOptions.ts'
import type { NamedProvider } from '#/lib/addresses.ts'
import { buttonClass } from '#/ui/button/Button.tsx'

/** Links that sign in with the identity providers of a silo in another tab, so that this page stays as it is. */
export const ProviderAgain = ({ silo, providers }: { silo: string; providers: readonly NamedProvider[] }) => (
  <nav aria-label="Identity providers" className="flex flex-col gap-2">
    {providers.map((provider, index) => (
      <a
        key={provider.name}
        href={providerSignIn(silo, provider, `/login/${encodeURIComponent(silo)}/done`)}
        target="_blank"
        rel="noopener"
        className={buttonClass(index === 0 ? 'primary' : 'secondary')}
      >
        Sign in with {provider.name} in a new tab
      </a>
    ))}
  </nav>
)
