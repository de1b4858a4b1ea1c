import { memo, type ReactNode } from 'react'
import { isActiveNav } from '#/lib/paths.ts'
import { cx } from '#/lib/text.ts'
import { UiLink } from '#/ui/button/link.tsx'
import { usePath } from '#/ui/layout/path.ts'
import { Truncate } from '#/ui/value/Truncate.tsx'

/** One link of the sidebar. */
export interface NavItem {
  label: string
  href: string
  icon?: ReactNode
  /** At its end: a count. */
  aside?: ReactNode
  /** A button that follows the link. */
  after?: ReactNode
  /** Active only at exactly this address. */
  exact?: boolean
  /** Another address that belongs to it. */
  also?: readonly string[]
  /** Leads out of the product, into a new tab. */
  external?: boolean
}

/** 'Sidebar navigation': the one landmark around the groups of the sidebar. */
export function SidebarNav({ children }: { children: ReactNode }) {
  return (
    <nav aria-label="Sidebar navigation" className="flex flex-col">
      {children}
    </nav>
  )
}

/** A group of links under an optional heading, shortened to 24 characters. */
export function NavGroup({ title, items }: { title?: string; items: readonly NavItem[] }) {
  const path = usePath()
  return (
    <div className="flex flex-col gap-px not-first:mt-2 not-first:border-t not-first:border-line-faint not-first:pt-1">
      {title && (
        <div className="label-mono px-2 pt-3 pb-2 normal-case">
          <Truncate text={title} max={24} />
        </div>
      )}
      {items.map((item) => {
        const link = <NavLink key={item.href} item={item} current={currentAt(item, path)} />
        if (!item.after) return link
        return (
          <div key={item.href} className="flex items-center gap-1 *:first:min-w-0 *:first:grow">
            {link}
            {item.after}
          </div>
        )
      })}
    </div>
  )
}

const isItemActive = ({ href, exact, also = [] }: NavItem, path: string): boolean =>
  exact ? path === href : [href, ...also].some((one) => isActiveNav(path, one))

/** True if the page at this path is that of the entry, or belongs to it, as a form of a list does. */
function currentAt(item: NavItem, path: string): 'page' | 'true' | undefined {
  if (item.external || !isItemActive(item, path)) return undefined
  return path === item.href || (!item.exact && path.startsWith(`${item.href}/`)) ? 'page' : 'true'
}

/** Rendered again only if it begins or ceases to be the current one. */
const NavLink = memo(function NavLink({
  item,
  current,
}: {
  item: NavItem
  current: 'page' | 'true' | undefined
}) {
  const className = cx(
    'flex h-[30px] items-center gap-[9px] rounded-md px-2 [&>svg]:size-[15px] [&>svg]:shrink-0 [&>svg]:stroke-[1.6]',
    current ? 'bg-accent-soft text-accent-text' : 'text-secondary hover:bg-hover hover:text-ink',
  )
  if (item.external) {
    return (
      <a href={item.href} target="_blank" rel="noreferrer" className={className}>
        {item.icon}
        {item.label}
        <span className="sr-only"> (opens in a new tab)</span>
      </a>
    )
  }
  return (
    <UiLink href={item.href} aria-current={current} className={className}>
      {item.icon}
      {item.label}
      {item.aside}
    </UiLink>
  )
})
