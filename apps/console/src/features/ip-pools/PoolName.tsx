import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Skeleton } from '#/ui/feedback/Skeleton.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { Truncate } from '#/ui/value/Truncate.tsx'
import { poolsQuery } from './queries.ts'
import { lazily } from '#/lib/lazily.tsx'

const PoolPanel = lazily(() => import('./PoolPanel.tsx'), 'PoolPanel')

/** The name of a pool; pressing it opens its details. The id of a pool that the silo may no longer use. */
export function PoolName({ id }: { id: string }) {
  const { data, isPending } = useQuery({ ...poolsQuery(), throwOnError: false })
  const [isOpen, setOpen] = useState(false)
  const pool = data?.find((one) => one.id === id)
  if (isPending) return <Skeleton className="h-2.5 w-20 align-middle" />
  if (!pool) return <Truncate text={id} max={14} at="middle" className="mono" />
  return (
    <>
      <Tooltip content={pool.description} isOff={pool.description === ''}>
        <button
          type="button"
          aria-haspopup="dialog"
          onClick={() => setOpen(true)}
          className="truncate text-accent-text underline decoration-1 underline-offset-2 hover:decoration-2"
        >
          {pool.name}
        </button>
      </Tooltip>
      {isOpen && <PoolPanel pool={pool} onDismiss={() => setOpen(false)} />}
    </>
  )
}
