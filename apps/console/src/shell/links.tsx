import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { UiLinkProps } from '#/ui/button/link.tsx'

const Anchor = ({ children, ...props }: UiLinkProps) => <a {...props}>{children}</a>
const RouterAnchor: LinkComponent<typeof Anchor> = createLink(Anchor)

const isInside = (href: string) => /^\/(?!\/)/.test(href)

// The part of an address inside the console is parsed without its origin.
const anyOrigin = 'http://localhost'

// The router also marks links to parent pages as current. The component that draws a link decides better.
const exactly = { exact: true }

/** The link of the design system: within the app it navigates and preloads, otherwise it is a plain link. */
export function AppLink({ href, ...props }: UiLinkProps) {
  if (!isInside(href)) return <Anchor href={href} {...props} />
  const { pathname, searchParams } = new URL(href, anyOrigin)
  // Addresses come from lib/addresses, not from the router's templates.
  return (
    <RouterAnchor
      to={pathname as '/'}
      search={Object.fromEntries(searchParams) as never}
      activeOptions={exactly}
      {...(props as object)}
    />
  )
}
