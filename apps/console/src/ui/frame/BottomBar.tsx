import type { ReactNode } from 'react'

/** The bar that stays at the foot of the page while it scrolls: pagination, or the buttons of a full-page form. */
export function BottomBar({ children }: { children: ReactNode }) {
  return (
    <div className="sticky bottom-0 z-10 -mx-8 mt-auto -mb-6 pt-4 max-roomy:-mx-5 max-frame:-mx-4">
      <div className="border-t border-line-faint bg-page px-8 py-2.5 max-roomy:px-5 max-frame:px-4">
        {children}
      </div>
    </div>
  )
}
