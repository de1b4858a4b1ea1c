import type { ReactNode } from 'react'
import rack from '#/styles/rack.svg'
import { BrandMark } from '#/ui/layout/BrandMark.tsx'
import { SplitLayout } from '#/ui/frame/SplitLayout.tsx'
import { Identicon } from '#/ui/value/Identicon.tsx'

/** The page of every way to sign in: the rack at the left, the silo's name and the form at the right. */
export function SignInFrame({ silo, children }: { silo: string; children: ReactNode }) {
  return (
    <SplitLayout picture={rack} alt="A populated rack" footer={<BrandMark withName />}>
      <div className="flex flex-col gap-4">
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
    </SplitLayout>
  )
}
