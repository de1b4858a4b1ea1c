import BookOpen from 'lucide-react/icons/book-open'
import ExternalLinkIcon from 'lucide-react/icons/external-link'
import type { ReactNode } from 'react'
import { InfoPopover } from './InfoPopover.tsx'
import { ExternalLink } from '../button/link.tsx'

/** A guide outside the product. */
export interface DocsLink {
  label: string
  href: string
}

export interface DocsPopoverProps {
  topic: string
  icon?: ReactNode
  summary: ReactNode
  links: readonly DocsLink[]
}

/** 'Learn about {topic}': what this part of the product is for, and links to its guides. */
export function DocsPopover({ topic, icon, summary, links }: DocsPopoverProps) {
  const name = `Learn about ${topic}`
  return (
    <InfoPopover label={name} icon={<BookOpen size={15} />} align="end" className="w-96">
      {({ titleId }) => (
        <>
          <div className="px-4 pt-3.5 pb-3">
            <h2
              id={titleId}
              className="flex items-center gap-2 font-semibold [&>svg]:size-4 [&>svg]:text-tertiary"
            >
              {icon}
              {name}
            </h2>
            <p className="mt-1.5 text-secondary">{summary}</p>
          </div>
          {links.length > 0 && (
            <div className="border-t border-line-faint px-2 py-2">
              <h3 className="label-mono px-2 py-1.5">Guides</h3>
              {links.map(({ label, href }) => (
                <ExternalLink
                  key={href}
                  href={href}
                  className="flex h-[30px] items-center gap-2 rounded-sm px-2 text-accent-text hover:bg-selected"
                >
                  {label}
                  <ExternalLinkIcon size={12} className="text-tertiary" aria-hidden />
                </ExternalLink>
              ))}
            </div>
          )}
        </>
      )}
    </InfoPopover>
  )
}
