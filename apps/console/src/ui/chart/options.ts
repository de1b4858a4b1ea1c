import type uPlot from 'uplot'
import type { DateStyle } from '#/lib/format.ts'
import { timeTick, valueTicks } from './axis.ts'
import { fade, seriesColour, token } from './colours.ts'
import { type ChartData, type ChartSeries, largestOf, type TimeRange } from './data.ts'
import type { Unit } from './units.ts'

/** How the values between two points are drawn: on a straight line, or as a level that holds until the next. */
export type Curve = 'straight' | 'step'

export interface OptionsInput {
  curve: Curve
  style: DateStyle
  size: { width: number; height: number }
  canZoom: boolean
  /** called again whenever it is drawn */
  shown: () => Shown
  hooks: uPlot.Hooks.Arrays
}

/** The drawing at one time. */
export interface Shown {
  data: ChartData
  range: TimeRange
  unit: Unit
  /** of the value axis */
  ticks: readonly number[]
}

/** The ticks of the value axis for these values. */
export const ticksFor = (data: ChartData, unit: Unit): number[] =>
  valueTicks(largestOf(data) / unit.divisor, unit.max)

/** The data as the library takes it: the values of all series, then the least and the most of each that has ranges, in the unit of the axis. It only reads them, but its types are not readonly. */
export const drawn = ({ times, series }: ChartData, { divisor }: Unit): uPlot.AlignedData => [
  times as number[],
  ...[...series.map(({ values }) => values), ...series.flatMap(({ range }) => edgesOf(range))].map((values) =>
    divisor === 1
      ? (values as (number | null)[])
      : values.map((value) => (value === null ? null : value / divisor)),
  ),
]
const edgesOf = (range: ChartSeries['range']) => (range ? [range.most, range.least] : [])

/** The library's options for a drawing. */
export function optionsOf(library: typeof uPlot, input: OptionsInput): uPlot.Options {
  const { shown, style, size, canZoom, hooks } = input
  const { timeZone } = style
  return {
    ...size,
    ms: 1,
    legend: { show: false },
    padding: [10, null, 0, inset],
    tzDate: (time) => (timeZone === undefined ? new Date(time) : library.tzDate(new Date(time), timeZone)),
    scales: {
      x: { range: () => [shown().range.start, shown().range.end] },
      y: { range: () => [0, shown().ticks.at(-1) ?? 1] },
    },
    series: [{}, ...lines(library, input), ...edges(library, input)],
    bands: bands(shown().data),
    axes: axes(input),
    cursor: {
      y: false,
      // The edges of a range have no data point.
      dataIdx: (_, series, at) => (series > shown().data.series.length ? null : at),
      points: { size: 10, width: 2, stroke: token('--surface-raised') },
      drag: { x: canZoom, y: false, setScale: false, dist: 5 },
      move: snapped,
      // The owner handles zooming out; the library would only fit the drawing to its data.
      bind: { dblclick: () => null },
    },
    hooks,
  }
}

// Where several points share a pixel a line is a band. Without a graphics card a line of at most one pixel is
// drawn four times as fast.
const crowded = 2000

function pathsOf({ paths: { linear, stepped } }: typeof uPlot, curve: Curve) {
  const paths = curve === 'step' ? stepped?.({ align: 1 }) : linear?.()
  return paths ? { paths } : {}
}

function lines(library: typeof uPlot, { curve, shown }: OptionsInput): uPlot.Series[] {
  const { data } = shown()
  const { series } = data
  return series.map(({ label }, i) => {
    const colour = token(seriesColour(i))
    return {
      label,
      width: data.times.length > crowded ? 1 : 1.5,
      stroke: colour,
      points: { fill: colour, size: 5, filter: dots },
      // One area is easy to read; several would hide each other.
      ...(series.length === 1 ? { fill: fade(colour, 0.12) } : {}),
      ...pathsOf(library, curve),
    }
  })
}

/** The edges of the bands, which are not drawn themselves. */
const edges = (library: typeof uPlot, { curve, shown }: OptionsInput): uPlot.Series[] =>
  shown().data.series.flatMap(({ range }) =>
    edgesOf(range).map(() => ({ width: 0, points: { show: false }, ...pathsOf(library, curve) })),
  )

/** A band from the least to the most around each line with ranges. */
function bands({ series }: ChartData): uPlot.Band[] {
  let edge = series.length + 1
  return series.flatMap(({ range }, i) => {
    if (!range) return []
    const bounds: uPlot.Band.Bounds = [edge, edge + 1]
    edge += 2
    return [{ series: bounds, fill: fade(token(seriesColour(i)), 0.3) }]
  })
}

// Only points without a line to a neighbour: at the steps of a level, dots would stand on each other.
const dots = (plot: uPlot, at: number) => lonely(plot.data[at] ?? [])

/** The indexes of values without a neighbour. */
export const lonely = (values: ArrayLike<number | null | undefined>): number[] => {
  const found: number[] = []
  for (let i = 0; i < values.length; i++)
    if (values[i] != null && values[i - 1] == null && values[i + 1] == null) found.push(i)
  return found
}

const letter = 6.7
const inset = 4

function axes({ style, shown }: OptionsInput): uPlot.Axis[] {
  const look = {
    stroke: token('--text-tertiary'),
    font: '11px "JetBrains Mono Variable", ui-monospace, monospace',
    ticks: { show: false },
  }
  return [
    {
      ...look,
      space: 92,
      size: 24,
      grid: { show: false },
      border: { show: true, stroke: token('--line'), width: 1 },
      values: (plot, splits) => timeTexts(plot, splits, timeTick(shown().range, style)),
    },
    {
      ...look,
      side: 1,
      size: (_, values: readonly string[] | null) =>
        16 + letter * Math.max(0, ...(values ?? []).map((text) => text.length)),
      grid: { stroke: token('--line-faint'), width: 1 },
      splits: () => [...shown().ticks],
      values: (_, splits) => splits.map(shown().unit.tick),
    },
  ]
}

// A text that the edge of the drawing would cut is left out.
const timeTexts = (plot: uPlot, splits: number[], write: (time: number) => string) =>
  splits.map((time) => {
    const text = write(time)
    return plot.valToPos(time, 'x') < (text.length * letter) / 2 - inset ? null : text
  })

/** The crosshair moves from point to point, so that it shows measured values; a selected range may end between them. */
function snapped(plot: uPlot, left: number, top: number): [number, number] {
  const isFree = left < 0 || plot.cursor.event?.buttons === 1
  const time = isFree ? undefined : plot.data[0][plot.posToIdx(left)]
  return typeof time === 'number' ? [plot.valToPos(time, 'x'), top] : [left, top]
}
