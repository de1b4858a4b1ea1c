import type { ReactNode } from 'react'

/** Sign-in's two halves: the picture on drafting paper, hidden under 800 px, and a 320 px column. */
export function SplitLayout({
  picture,
  alt,
  footer,
  children,
}: {
  picture: string
  alt: string
  footer?: ReactNode
  children: ReactNode
}) {
  return (
    <main id="content" className="grid min-h-dvh split:grid-cols-2">
      <div className="drafting-night relative overflow-hidden max-split:hidden">
        <img src={picture} alt={alt} className="absolute inset-0 size-full object-contain p-8" />
      </div>
      <div className="relative flex min-w-0 flex-col items-center justify-center p-6">
        <div className="w-80 max-w-full">{children}</div>
        {footer && <div className="absolute bottom-6 split:hidden">{footer}</div>}
      </div>
    </main>
  )
}
