import type { ReactNode } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { Missing } from '#/resource/form/Missing.tsx'
import { useRole } from '#/resource/role/useRole.ts'

const FirstPool = lazily(() => import('./FirstPool.tsx'), 'FirstPool')

/** Says that the silo has no IP pool. `onMade` gets the name of the pool that an administrator then creates. */
export function MissingPool({
  onMade,
  children = 'The silo has no IP pool to allocate an address from.',
}: {
  onMade: (name: string) => void
  children?: ReactNode
}) {
  return (
    <Missing
      noun="IP pool"
      lacks={useRole(undefined, 'fleet').lacks('admin')}
      form={(close) => <FirstPool animate onMade={onMade} onClose={close} />}
    >
      {children}
    </Missing>
  )
}
