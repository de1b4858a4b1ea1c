import BookOpen from 'lucide-react/icons/book-open'
import ExternalLinkIcon from 'lucide-react/icons/external-link'
import { type ReactNode, useId, useRef, useState } from 'react'
import { IconButton } from './IconButton.tsx'
import { ExternalLink } from './link.tsx'
import { useDismiss } from './useDismiss.ts'
import { useFloating } from './useFloating.ts'

/** A guide outside the product. */
export interface DocsLink {
  label: string
  href: string
}

/** 'Learn about {topic}': what this part of the product is for, and where to read on. */
export function DocsPopover({
  topic,
  icon,
  summary,
  links,
}: {
  topic: string
  icon?: ReactNode
  summary: ReactNode
  links: readonly DocsLink[]
}) {
  const [isOpen, setOpen] = useState(false)
  const id = useId()
  const button = useRef<HTMLSpanElement>(null)
  const box = useFloating<HTMLDivElement>({ isOpen, anchor: button, placement: 'bottom-end', gap: 6 })
  useDismiss(isOpen, [button, box], (by) => {
    setOpen(false)
    if (by === 'escape') button.current?.querySelector('button')?.focus({ preventScroll: true })
  })
  const name = `Learn about ${topic}`
  return (
    <span ref={button} className="inline-flex">
      <IconButton label={name} aria-expanded={isOpen} aria-haspopup="dialog" onClick={() => setOpen(!isOpen)}>
        <BookOpen size={15} />
      </IconButton>
      {isOpen && (
        <div
          ref={box}
          popover="manual"
          role="dialog"
          aria-labelledby={id}
          className="floating-box w-96 max-w-[calc(100vw-2rem)] animate-appear"
        >
          <div className="px-4 pt-3.5 pb-3">
            <h2
              id={id}
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
        </div>
      )}
    </span>
  )
}
