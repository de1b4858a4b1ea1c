import { type ReactNode, useId } from 'react'
import { TipIcon } from '#/ui/overlay/TipIcon.tsx'

/** A section of the form with its heading. */
export function FormSection({
  title,
  hint,
  children,
}: {
  title: string
  hint?: ReactNode
  children: ReactNode
}) {
  const id = useId()
  return (
    <section aria-labelledby={id} className="border-line-faint py-7 first:pt-0 not-first:border-t">
      <h2 id={id} className="text-lg font-semibold">
        {title}
      </h2>
      {hint && <p className="mt-0.5 text-secondary">{hint}</p>}
      <div className="mt-4 flex flex-col gap-[18px]">{children}</div>
    </section>
  )
}

/** A group within a section: heading, optional help tip, content. */
export function FormGroup({ title, tip, children }: { title: string; tip?: ReactNode; children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="flex flex-col gap-2.5">
      <div className="flex items-center gap-1.5">
        <h3 id={id} className="font-medium">
          {title}
        </h3>
        {tip && <TipIcon>{tip}</TipIcon>}
      </div>
      {children}
    </div>
  )
}
