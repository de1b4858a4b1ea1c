import './plot.css'
import { type KeyboardEvent, useId, useRef, useState } from 'react'
import { type CursorStore, noCursor } from './cursor.ts'
import { useStore } from '#/lib/store.ts'
import { type ChartData, pointAt, type TimeRange } from './data.ts'
import type { Curve } from './options.ts'
import { PlotMarks } from './PlotMarks.tsx'
import { PlotTooltip, valueText } from './PlotTooltip.tsx'
import type { Unit } from './units.ts'
import type { PlotArea } from './drawing.ts'
import { useDrawing } from './useDrawing.ts'
import { useZone } from './useZone.ts'
import { formatExact } from '#/lib/format.ts'

export interface PlotProps {
  /** Accessible name. */
  title: string
  data: ChartData
  range: TimeRange
  unit: Unit
  curve: Curve
  cursor: CursorStore
  /** Called when a range was selected with the pointer. */
  onZoom?: ((range: TimeRange) => void) | undefined
  /** Called on a double press, which zooms out again. */
  onZoomOut?: (() => void) | undefined
}

const moves: Record<string, (at: number, last: number) => number> = {
  ArrowLeft: (at) => at - 1,
  ArrowDown: (at) => at - 1,
  ArrowRight: (at) => at + 1,
  ArrowUp: (at) => at + 1,
  PageDown: (at) => at - 10,
  PageUp: (at) => at + 10,
  Home: () => 0,
  End: (_, last) => last,
}

/** The drawing of a chart, with a crosshair that the pointer and the arrow keys move. To assistive technology it
 * is a slider over the points, whose text is the time and the values measured then. */
export function Plot(props: PlotProps) {
  const { title, data, range, unit, cursor } = props
  const id = useId()
  const canvas = useRef<HTMLDivElement>(null)
  const [area, setArea] = useState<PlotArea>()
  const style = useZone()
  const keep = (next: PlotArea) =>
    setArea((now) => (now?.left === next.left && now.width === next.width ? now : next))
  useDrawing(canvas, { ...props, id, style }, { ...props, onArea: keep })
  const { time, owner } = useStore(cursor)
  const last = data.times.length - 1
  const found = pointAt(data.times, time)
  const moment = data.times[found < 0 ? last : found] ?? range.end
  const onKeyDown = (event: KeyboardEvent) => {
    const move = moves[event.key]
    if (!move || event.metaKey || event.ctrlKey || event.altKey || event.shiftKey) return
    event.preventDefault()
    const next = Math.max(0, Math.min(last, move(found < 0 ? last : found, last)))
    cursor.set({ time: data.times[next] ?? null, owner: id })
  }
  return (
    <div className="relative h-full">
      <div
        role="slider"
        tabIndex={0}
        aria-label={`${title}: points`}
        aria-valuemin={0}
        aria-valuemax={last}
        aria-valuenow={found < 0 ? last : found}
        aria-valuetext={`${formatExact(new Date(moment), style)}: ${valueText(data, unit, found < 0 ? last : found)}`}
        onKeyDown={onKeyDown}
        onFocus={(event) => {
          // A press of the pointer has already moved the crosshair.
          if (event.currentTarget.matches(':focus-visible')) cursor.set({ time: moment, owner: id })
        }}
        onBlur={() => owner === id && cursor.set(noCursor)}
        className="relative h-full rounded-sm"
      >
        <div ref={canvas} className="absolute inset-0" />
        {owner === id && found >= 0 && area && (
          <PlotTooltip
            title={title}
            data={data}
            at={found}
            unit={unit}
            style={style}
            place={{ area, range }}
          />
        )}
      </div>
      {/* A slider has no controls inside. */}
      {area && <PlotMarks {...{ range, area, style }} />}
    </div>
  )
}
