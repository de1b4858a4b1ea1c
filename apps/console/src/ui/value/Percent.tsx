import { percentParts } from '#/lib/format.ts'

/** A share in percent, its integer part in a stronger colour; '—%' if the total is zero. */
export function Percent({ part, whole }: { part: number; whole: number }) {
  const parts = percentParts(part, whole)
  return (
    <span className="text-secondary">
      <span className="font-medium text-ink">{parts.whole}</span>
      {parts.fraction}%
    </span>
  )
}
