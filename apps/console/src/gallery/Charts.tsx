import { useState } from 'react'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import type { ChartData, TimeRange } from '#/ui/chart/data.ts'
import type { Quantity } from '#/ui/chart/units.ts'
import { Button } from '#/ui/button/Button.tsx'
import { Specimen } from './Specimen.tsx'

const end = Date.UTC(2026, 10, 21, 15, 4)
const hour = 3_600_000
const wholeHour: TimeRange = { start: end - hour, end }

// Waves that look measured, with a gap in the first line of a series of several.
const wave = (i: number, line: number) =>
  50 + 30 * Math.sin(i / (9 + 4 * line)) + 8 * Math.sin(i * (2.3 + line)) + 4 * line

function sample(points: number, labels: readonly string[], factor = 1): ChartData {
  const gap = (i: number) => labels.length > 1 && i > points * 0.4 && i < points * 0.5
  return {
    times: Array.from({ length: points }, (_, i) => end - hour + (hour * (i + 1)) / points),
    series: labels.map((label, line) => ({
      label,
      values: Array.from({ length: points }, (_, i) =>
        line === 0 && gap(i) ? null : factor * Math.max(0, wave(i, line)),
      ),
    })),
  }
}

const specimens: { title: string; quantity: Quantity; state: ChartState; curve?: 'step' }[] = [
  {
    title: 'CPU Utilization: Running',
    quantity: 'percent',
    state: { at: 'ready', data: sample(60, ['2 vCPUs']) },
  },
  {
    title: 'Read latency',
    quantity: 'nanoseconds',
    state: { at: 'ready', data: sample(60, ['p50', 'p90', 'p99'], 41_000) },
  },
  {
    title: 'Bytes provisioned',
    quantity: 'bytes',
    state: { at: 'ready', data: sample(12, ['Storage'], 2 ** 33) },
    curve: 'step',
  },
  { title: 'Still loading', quantity: 'perSecond', state: { at: 'loading' } },
  { title: 'Nothing measured', quantity: 'perSecond', state: { at: 'ready', data: sample(0, ['Reads']) } },
  {
    title: 'Failed',
    quantity: 'perSecond',
    state: { at: 'failed', issue: { message: 'The store is down.' }, onRetry: () => undefined },
  },
]

/** Charts in every state, sharing a crosshair and a zoom; and one that is large. */
export function Charts() {
  const [range, setRange] = useState(wholeHour)
  const [cursor] = useState(createCursor)
  return (
    <CursorProvider value={cursor}>
      <Specimen title="Charts" stack>
        <Button onClick={() => setRange(wholeHour)}>Zoom out</Button>
        <ChartGrid>
          {specimens.map((one) => (
            <Chart
              key={one.title}
              {...one}
              range={range}
              onZoom={setRange}
              onZoomOut={() => setRange(wholeHour)}
            />
          ))}
        </ChartGrid>
      </Specimen>
      <LargeChart />
    </CursorProvider>
  )
}

const large = [1, 2].map((factor) => sample(10_000, ['one', 'two', 'three', 'four'], factor))

/** The chart of bench/scenarios/chart.ts: 4 series of 10 000 points, drawn on demand. */
function LargeChart() {
  const [index, setIndex] = useState(0)
  const data = large[index % 2] ?? sample(0, [])
  return (
    <Specimen title="4 series of 10 000 points" stack>
      <Button onClick={() => setIndex(index + 1)}>Draw again</Button>
      <Chart title="Many points" quantity="perSecond" range={wholeHour} state={{ at: 'ready', data }} />
    </Specimen>
  )
}
