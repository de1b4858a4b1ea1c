import Info from 'lucide-react/icons/info'
import type { ReactNode } from 'react'

/** Something worth knowing beside a table or a field; no error. */
export function Note({ children }: { children: ReactNode }) {
  return (
    <div className="flex items-start gap-2.5 rounded-md border border-line bg-sunken px-3.5 py-2.5 text-secondary">
      <Info size={15} aria-hidden className="mt-0.5 shrink-0 text-tertiary" />
      <div className="min-w-0">{children}</div>
    </div>
  )
}
