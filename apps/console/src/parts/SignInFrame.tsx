import type { ReactNode } from 'react'
import rack from '../styles/rack.svg'
import { BrandMark } from '../ui/BrandMark.tsx'
import { Identicon } from '../ui/Identicon.tsx'

/** The split layout of sign-in: the rack at the left, hidden under 800 px, the form at the right. */
export function SignInFrame({ silo, children }: { silo: string; children: ReactNode }) {
  return (
    <div className="grid min-h-dvh grid-cols-1 min-[800px]:grid-cols-2">
      <div className="sign-in-hero relative hidden overflow-hidden min-[800px]:block">
        <img src={rack} alt="A populated rack" className="absolute inset-0 size-full object-contain p-8" />
      </div>
      <main className="flex flex-col items-center justify-center gap-8 p-6">
        <div className="flex w-80 max-w-full flex-col gap-4">
          <div>
            <h1 className="text-xl font-semibold tracking-[-0.012em]">Sign in</h1>
            <p className="mt-1.5 flex items-center gap-2 text-secondary">
              <Identicon name={silo} size={20} />
              <span className="min-w-0 truncate">
                to the <b className="font-semibold text-ink">{silo}</b> silo
              </span>
            </p>
          </div>
          <hr className="border-line-faint" />
          {children}
        </div>
        <div className="flex items-center gap-2 font-semibold min-[800px]:hidden">
          <BrandMark /> Purlin
        </div>
      </main>
    </div>
  )
}
