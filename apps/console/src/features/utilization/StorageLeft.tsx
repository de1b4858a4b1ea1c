import { cx } from '#/lib/text.ts'
import { formatSize } from '#/lib/format.ts'
import { leftOf, leftText, useUtilization } from './quota.ts'

/** The storage that something needs, in bytes if that is known, and the free storage. Empty while that is not known. */
export function StorageLeft({ needed }: { needed?: number | undefined }) {
  const utilization = useUtilization()
  if (!utilization) return null
  const isShort = needed !== undefined && needed > leftOf(utilization, 'storage')
  return (
    <p role="status" className={cx('text-hint', isShort ? 'text-danger' : 'text-secondary')}>
      {needed !== undefined && `Needs ${formatSize(needed)}. `}
      {leftText(utilization, 'storage')}
    </p>
  )
}
