import type { ReactNode } from 'react'

/** One card on drafting paper by night, for signing in a device. */
export function CentredLayout({ footer, children }: { footer?: ReactNode; children: ReactNode }) {
  return (
    <div className="drafting-night relative grid min-h-dvh place-content-center p-4">
      <main
        id="content"
        className="w-[29rem] max-w-[calc(100vw-2rem)] rounded-lg border border-line bg-raised p-8"
      >
        {children}
      </main>
      {footer && <div className="absolute inset-x-0 bottom-6 flex justify-center">{footer}</div>}
    </div>
  )
}
