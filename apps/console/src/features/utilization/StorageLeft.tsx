import { cx } from '#/lib/text.ts'
import { formatSize } from '#/lib/format.ts'
import { storageLeft, useUtilization, type StorageUse } from './quota.ts'

/** The storage that something needs, in bytes if that is known, and the free storage. Empty while that is not known. */
export function StorageLeft({ needed }: { needed?: number | undefined }) {
  const utilization = useUtilization()
  if (!utilization) return null
  const { text, lack } = storageLeft(utilization, { needed })
  return (
    <p role="status" className={cx('text-hint', lack ? inkOf[lack] : 'text-secondary')}>
      {needed !== undefined && `Needs ${formatSize(needed)}. `}
      {text}
    </p>
  )
}

const inkOf = { quota: 'text-danger', hardware: 'text-busy' } as const

/** The same as the hint of a field for the size, with what follows if the quota is not enough. */
export function StorageHint({ refusal, ...of }: StorageUse & { refusal: string }) {
  const utilization = useUtilization()
  if (!utilization) return null
  const { text, lack } = storageLeft(utilization, of)
  return (
    <span className={cx(lack && 'text-busy')}>
      {text}
      {lack === 'quota' && ` ${refusal}`}
    </span>
  )
}
