import { percentParts } from '../lib/format.ts'

/** A share of a whole in percent, the whole part set stronger; '—%' of nothing. */
export function Percent({ part, whole }: { part: number; whole: number }) {
  const parts = percentParts(part, whole)
  return (
    <span className="text-secondary">
      <span className="font-medium text-ink">{parts.whole}</span>
      {parts.fraction}%
    </span>
  )
}
