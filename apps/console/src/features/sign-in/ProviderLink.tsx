import { providerSignIn } from '#/api/loginOptions.ts'
import type { NamedProvider } from '#/lib/addresses.ts'
import { cx } from '#/lib/text.ts'
import { buttonClass } from '#/ui/button/Button.tsx'

/** Leads to an identity provider. */
export const ProviderLink = ({
  silo,
  provider,
  target,
  variant,
}: {
  silo: string
  provider: NamedProvider
  /** The address to return to. */
  target: string | undefined
  variant: 'primary' | 'secondary'
}) => (
  <a
    href={providerSignIn(silo, provider, target)}
    className={cx(
      buttonClass(variant),
      'h-auto! min-h-control w-full justify-center py-1.5 text-center whitespace-normal! wrap-anywhere',
    )}
  >
    Sign in with {provider.name}
  </a>
)
