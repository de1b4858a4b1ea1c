import { bigNumber } from '#/lib/format.ts'
import { Tooltip } from '../overlay/Tooltip.tsx'

/** A number in full below a million and shortened above, then with the whole of it on hover. */
export function BigNum({ value, className }: { value: number; className?: string }) {
  const { text, full, isShortened } = bigNumber(value)
  if (!isShortened) return <span className={className}>{text}</span>
  return (
    <Tooltip content={full} describes={false}>
      <span className={className}>
        <span aria-hidden>{text}</span>
        <span className="sr-only">{full}</span>
      </span>
    </Tooltip>
  )
}
