import type { ReactNode } from 'react'

/** The name of a thing inside a sentence of a toast or dialog. */
export function Highlight({ children }: { children: ReactNode }) {
  return <span className="font-medium wrap-anywhere text-ink">{children}</span>
}
