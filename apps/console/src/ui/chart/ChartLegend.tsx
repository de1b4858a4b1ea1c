import { formatTick } from '#/lib/format.ts'
import type { CursorStore } from './cursor.ts'
import { useStore } from '#/lib/store.ts'
import { type ChartData, hasRanges, pointAt } from './data.ts'
import { written } from './PlotTooltip.tsx'
import { Swatch } from './Swatch.tsx'
import type { Unit } from './units.ts'
import { useZone } from './useZone.ts'

/** The series of a chart, each with its value at the crosshair, or else its last one. */
export function ChartLegend({
  title,
  data,
  unit,
  cursor,
}: {
  title: string
  data: ChartData
  unit: Unit
  cursor: CursorStore
}) {
  const { time } = useStore(cursor)
  const style = useZone()
  const found = pointAt(data.times, time)
  const at = found < 0 ? data.times.length - 1 : found
  const moment = new Date(data.times[at] ?? 0)
  return (
    <ul
      aria-label={`${title}: lines`}
      className="flex min-w-0 flex-wrap items-center gap-x-4 gap-y-1 text-hint"
    >
      {data.series.map(({ label, values }, i) => (
        <li key={label} className="flex items-center gap-2">
          <Swatch index={i} />
          {label}
          <span className="mono text-ink">{written(values[at], unit)}</span>
        </li>
      ))}
      {hasRanges(data) && <li className="text-tertiary">Line: mean. Band: least to most.</li>}
      <li className="mono text-tertiary">
        {found < 0 && 'last, '}
        {formatTick(moment, { second: true }, style)}
      </li>
    </ul>
  )
}
