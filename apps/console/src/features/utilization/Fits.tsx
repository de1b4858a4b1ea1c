import { countOf } from '@purlin/contract/rules/kinds'
import { cx } from '#/lib/text.ts'
import { useFits } from './quota.ts'

/** How many more instances of a size can start now. Empty while that is not known. */
export function Fits(size: { cpus: number; memory: number }) {
  const count = useFits(size)
  if (count === undefined) return null
  return (
    <p role="status" className={cx('text-hint', count === 0 ? 'text-danger' : 'text-secondary')}>
      {count === 0
        ? 'No instance of this size can start now.'
        : `${countOf(count, 'more instance')} of this size can start now.`}
    </p>
  )
}
