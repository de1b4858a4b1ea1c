import type { ReactNode } from 'react'

/** One component of the gallery with its states side by side. */
export function Specimen({
  title,
  children,
  stack = false,
}: {
  title: string
  children: ReactNode
  stack?: boolean
}) {
  return (
    <section aria-label={title} className="border-t border-line-faint py-5">
      <h2 className="label-mono mb-3">{title}</h2>
      <div className={stack ? 'space-y-4' : 'flex flex-wrap items-start gap-3'}>{children}</div>
    </section>
  )
}
