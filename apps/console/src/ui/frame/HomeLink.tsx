import type { ReactNode } from 'react'
import { UiLink } from '#/ui/button/link.tsx'

/** The home link above the sidebar: a picture, a small heading and the name of the silo, project or section. */
export function HomeLink({
  href,
  icon,
  heading,
  name,
}: {
  href: string
  icon: ReactNode
  heading: string
  name: string
}) {
  return (
    <UiLink
      href={href}
      className="flex min-w-0 grow items-center gap-2.5 rounded-md px-2 py-1 hover:bg-hover"
    >
      {icon}
      <span className="min-w-0 leading-tight">
        <span className="block text-xs text-secondary">{heading}</span>
        <span className="block truncate font-semibold">{name}</span>
      </span>
    </UiLink>
  )
}
