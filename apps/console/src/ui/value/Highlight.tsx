import type { ReactNode } from 'react'

/** A name in the text of a toast or dialog. */
export function Highlight({ children }: { children: ReactNode }) {
  return <span className="font-medium wrap-anywhere text-ink">{children}</span>
}
