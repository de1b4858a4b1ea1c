import type { NamedProvider } from '#/lib/addresses.ts'
import { cx } from '#/lib/text.ts'
import { buttonClass } from '#/ui/button/Button.tsx'

/** The address that leads to an identity provider. Slashes of the way back stay as they are. */
function linkTo(silo: string, { name, protocol }: NamedProvider, target: string | undefined): string {
  const query =
    target === undefined ? '' : `?redirect_uri=${encodeURIComponent(target).replaceAll('%2F', '/')}`
  return `/login/${encodeURIComponent(silo)}/${protocol}/${encodeURIComponent(name)}/redirect${query}`
}

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
    href={linkTo(silo, provider, target)}
    className={cx(
      buttonClass(variant),
      'h-auto! min-h-control w-full justify-center py-1.5 text-center whitespace-normal! wrap-anywhere',
    )}
  >
    Sign in with {provider.name}
  </a>
)
