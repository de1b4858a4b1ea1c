import { createLink, type LinkComponent } from '@tanstack/react-router'
import type { UiLinkProps } from '../ui/link.tsx'

const Anchor = ({ ref, children, ...props }: UiLinkProps) => (
  <a ref={ref} {...props}>
    {children}
  </a>
)
const RouterAnchor: LinkComponent<typeof Anchor> = createLink(Anchor)

const isInside = (href: string) => href.startsWith('/') && !href.startsWith('//')

/** The link that the design system uses: inside the app it navigates and preloads, elsewhere it is plain. */
export function AppLink({ href, ref, ...props }: UiLinkProps) {
  if (!isInside(href)) return <Anchor href={href} ref={ref} {...props} />
  const { pathname, searchParams } = new URL(href, window.location.origin)
  const search = Object.fromEntries(searchParams)
  // The address is made by the path builders, not by the router's own templates.
  return (
    <RouterAnchor
      to={pathname as '/'}
      search={search as never}
      {...(ref ? { ref } : {})}
      {...(props as object)}
    />
  )
}
