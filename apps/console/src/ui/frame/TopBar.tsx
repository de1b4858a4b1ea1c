import type { ReactNode } from 'react'

/** The content of the top bar: breadcrumbs at the left, pickers and menus at the right. */
export function TopBar({ children, controls }: { children: ReactNode; controls: ReactNode }) {
  return (
    <>
      <div className="min-w-0 grow">{children}</div>
      <div className="flex shrink-0 items-center gap-2">{controls}</div>
    </>
  )
}
