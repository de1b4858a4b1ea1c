import { cx } from '#/lib/text.ts'
import { type DateStyle, formatExact } from '#/lib/format.ts'
import type { ChartData, ChartSeries, TimeRange } from './data.ts'
import { Swatch } from './Swatch.tsx'
import type { Unit } from './units.ts'
import type { PlotArea } from './drawing.ts'

/** A value as text: with its unit, or that there is none. */
export const written = (value: number | null | undefined, unit: Unit): string =>
  value === null || value === undefined ? 'no value' : unit.full(value / unit.divisor)

/** From the least to the most that a value stands for; nothing if it is one value. */
function rangeText({ range }: ChartSeries, unit: Unit, at: number): string {
  const [least, most] = [range?.least[at] ?? null, range?.most[at] ?? null]
  return least === null || most === null || least === most
    ? ''
    : `from ${written(least, unit)} to ${written(most, unit)}`
}

/** All values of one time as text. */
export const valueText = ({ series }: ChartData, unit: Unit, at: number): string =>
  series
    .map((one) => {
      const range = rangeText(one, unit, at)
      const value = `${written(one.values[at], unit)}${range && ` (${range})`}`
      return series.length > 1 ? `${one.label} ${value}` : value
    })
    .join(', ')

export interface PlotTooltipProps {
  title: string
  data: ChartData
  at: number
  unit: Unit
  style: DateStyle
  place: { area: PlotArea; range: TimeRange }
}

/** The values at the crosshair, shown next to it. */
export function PlotTooltip({ title, data, at, unit, style, place }: PlotTooltipProps) {
  const time = data.times[at] ?? 0
  const { area, range } = place
  const share = (time - range.start) / (range.end - range.start)
  return (
    <div
      // The slider's text has the same values.
      aria-hidden
      style={{ left: area.left + share * area.width }}
      className={cx(
        'floating-box pointer-events-none absolute top-2 z-10 w-max max-w-[calc(50%-0.75rem)] px-2.5 py-2 text-hint',
        share > 0.5 ? '-translate-x-[calc(100%+0.75rem)]' : 'translate-x-3',
      )}
    >
      <div className="text-secondary">{formatExact(new Date(time), style)}</div>
      {data.series.map((one, i) => (
        <div key={one.label} className="mt-1">
          <div className="flex items-baseline gap-2">
            <Swatch index={i} />
            <span className="min-w-0 grow">{data.series.length > 1 ? one.label : title}</span>
            <span className="mono shrink-0">{written(one.values[at], unit)}</span>
          </div>
          <div className="mono text-right text-secondary empty:hidden">{rangeText(one, unit, at)}</div>
        </div>
      ))}
    </div>
  )
}
