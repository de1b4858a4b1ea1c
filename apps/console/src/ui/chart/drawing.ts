import uPlot from 'uplot'
import type { DateStyle } from '#/lib/format.ts'
import { type CursorStore, noCursor } from './cursor.ts'
import { type ChartData, pointAt, type TimeRange } from './data.ts'
import { type Curve, drawn, optionsOf, ticksFor } from './options.ts'
import type { Unit } from './units.ts'

/** The area of the points, in CSS pixels from the left of the box; the axes take the other pixels. */
export interface PlotArea {
  left: number
  width: number
}

/** The options of a drawing that cannot change: with others a new one is made. */
export interface DrawingLook {
  /** unique among the charts of a page */
  id: string
  curve: Curve
  style: DateStyle
  cursor: CursorStore
}

/** The shown data, which change often. */
export interface DrawingState {
  data: ChartData
  range: TimeRange
  unit: Unit
  onZoom?: ((range: TimeRange) => void) | undefined
  onZoomOut?: (() => void) | undefined
  onArea: (area: PlotArea) => void
}

/** A chart on a canvas in a box. */
export interface Drawing {
  update: (next: DrawingState) => void
  end: () => void
}

/** Draws into a box, and draws again when the box changes its size or the state changes. */
export function startDrawing(box: HTMLElement, look: DrawingLook, first: DrawingState): Drawing {
  const { id, cursor } = look
  let state = first
  let ticks = ticksFor(state.data, state.unit)
  const follow = (plot: uPlot) => {
    // The chart under the pointer has moved the crosshair itself.
    if (plot.over.matches(':hover') && cursor.get().owner === id) return
    const { times } = state.data
    const time = times[pointAt(times, cursor.get().time)]
    const isHere = time !== undefined && time >= state.range.start && time <= state.range.end
    plot.setCursor(isHere ? { left: plot.valToPos(time, 'x'), top: 0 } : outside, false)
  }
  const zoom = (plot: uPlot) => {
    const { left, width } = plot.select
    if (width === 0) return
    plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false)
    state.onZoom?.({ start: plot.posToVal(left, 'x'), end: plot.posToVal(left + width, 'x') })
  }
  const draw = (plot: uPlot) => {
    state.onArea({
      left: plot.bbox.left / devicePixelRatio,
      width: plot.bbox.width / devicePixelRatio,
    })
    follow(plot)
  }
  const options = optionsOf(uPlot, {
    ...look,
    size: sizeOf(box),
    canZoom: first.onZoom !== undefined,
    shown: () => ({ ...state, ticks }),
    hooks: { draw: [draw], setSelect: [zoom] },
  })
  const plot = new uPlot(options, drawn(state.data, state.unit), box)
  plot.over.addEventListener('mousemove', () => {
    const time = state.data.times[plot.cursor.idx ?? -1]
    cursor.set(time === undefined ? noCursor : { time, owner: id })
  })
  plot.over.addEventListener('mouseleave', () => cursor.get().owner === id && cursor.set(noCursor))
  plot.over.addEventListener('dblclick', () => state.onZoomOut?.())
  const stopFollowing = cursor.subscribe(() => follow(plot))
  const observer = new ResizeObserver(() => plot.setSize(sizeOf(box)))
  observer.observe(box)
  return {
    update: (next) => {
      const isSame = next.data === state.data && next.range === state.range && next.unit === state.unit
      state = next
      if (isSame) return
      ticks = ticksFor(next.data, next.unit)
      plot.setData(drawn(next.data, next.unit))
    },
    end: () => {
      observer.disconnect()
      stopFollowing()
      plot.destroy()
    },
  }
}

const outside = { left: -10, top: -10 }

const sizeOf = (box: HTMLElement) => ({ width: box.clientWidth, height: box.clientHeight })
