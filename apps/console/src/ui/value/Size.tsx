import { type Rounding, type SizeUnit, sizeParts } from '#/lib/format.ts'

/** A size given in bytes, in the unit that fits or the one given; the unit is dim. */
export function Size({ bytes, unit, rounding }: { bytes: number; unit?: SizeUnit; rounding?: Rounding }) {
  const parts = sizeParts(bytes, { unit, rounding })
  return (
    <span className="mono whitespace-nowrap">
      {parts.value.toLocaleString(undefined)} <span className="text-secondary">{parts.unit}</span>
    </span>
  )
}
