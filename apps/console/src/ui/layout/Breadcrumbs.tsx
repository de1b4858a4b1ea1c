import { Fragment } from 'react'
import { UiLink } from '../button/link.tsx'

/** One level of the path to the page shown. */
export interface Crumb {
  label: string
  href: string
}

/** 'Breadcrumbs': links separated by slashes; the last one is the current page. */
export function Breadcrumbs({ crumbs }: { crumbs: readonly Crumb[] }) {
  return (
    <nav aria-label="Breadcrumbs" className="min-w-0">
      <ol className="flex min-w-0 items-center gap-2.5">
        {crumbs.map(({ label, href }, i) => {
          const isLast = i === crumbs.length - 1
          return (
            <Fragment key={href + label}>
              {i > 0 && (
                <li aria-hidden className="text-tertiary max-frame:hidden">
                  /
                </li>
              )}
              <li className={isLast ? 'min-w-0' : 'min-w-0 max-frame:hidden'}>
                <UiLink
                  href={href}
                  aria-current={isLast ? 'page' : undefined}
                  className={`block truncate rounded-sm hover:text-ink ${isLast ? 'font-medium text-ink' : 'text-secondary'}`}
                >
                  {label}
                </UiLink>
              </li>
            </Fragment>
          )
        })}
      </ol>
    </nav>
  )
}
