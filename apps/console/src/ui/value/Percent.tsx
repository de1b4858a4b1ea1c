import { percentParts } from '#/lib/format.ts'

/** A share in percent, its integer part in a stronger colour; '< 0.1' for a smaller one. Without a total, show words instead. */
export function Percent({ part, whole }: { part: number; whole: number }) {
  const parts = percentParts(part, whole)
  return (
    <span className="text-secondary">
      <span className="font-medium text-ink">{parts.whole}</span>
      {parts.fraction}%
    </span>
  )
}
