import type { ReactNode } from 'react'
import { BrandMark } from '#/ui/layout/BrandMark.tsx'

/** A card in the middle of the page. */
export function DeviceFrame({ children }: { children: ReactNode }) {
  return (
    <main id="content" className="flex min-h-dvh flex-col items-center justify-center gap-6 p-4">
      <BrandMark withName />
      <div className="w-104 max-w-full rounded-lg border border-line bg-raised p-6 max-split:p-4">
        {children}
      </div>
    </main>
  )
}
