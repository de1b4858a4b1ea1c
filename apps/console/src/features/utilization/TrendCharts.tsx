import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { failure } from '#/api/errors.ts'
import { serverNow } from '#/lib/clock.ts'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import { historyQuery, stepsOf, withLevel, type Resource } from '#/features/metrics/usage/history.ts'
import { trendText, type Capacity } from './trend.ts'

type Of = keyof Capacity['trends']

const charts = [
  { of: 'threads', title: 'CPU', resource: 'cpus', quantity: 'vcpus' },
  { of: 'memory', title: 'Memory', resource: 'memory', quantity: 'bytes' },
  { of: 'storage', title: 'Storage', resource: 'storage', quantity: 'bytes' },
] as const satisfies readonly { of: Of; resource: Resource; [more: string]: unknown }[]

const month = 30 * 24 * 3_600_000

/** The last 30 days of each resource, next to what is usable, and when they meet. */
export function TrendCharts({ capacity }: { capacity: Capacity }) {
  const [cursor] = useState(createCursor)
  const [range] = useState(() => ({ start: serverNow() - month, end: serverNow() }))
  return (
    <CursorProvider value={cursor}>
      <ChartGrid>
        {charts.map((chart) => (
          <TrendChart key={chart.of} {...chart} capacity={capacity} range={range} />
        ))}
      </ChartGrid>
    </CursorProvider>
  )
}

type TrendChartProps = (typeof charts)[number] & { capacity: Capacity; range: TimeRange }

function TrendChart({ of, title, resource, quantity, capacity, range }: TrendChartProps) {
  const { data, error, refetch } = useQuery({
    ...historyQuery({ level: 'fleet' }, resource, range),
    throwOnError: false,
  })
  const { usable } = capacity[of]
  const points = useMemo(() => {
    if (!data) return undefined
    const steps = stepsOf(data, range, { label: 'Provisioned', now: range.end })
    return withLevel(steps, range, { label: 'Usable', value: usable })
  }, [data, range, usable])
  const state: ChartState = error
    ? { at: 'failed', issue: failure(error), onRetry: () => void refetch() }
    : points
      ? { at: 'ready', data: points }
      : { at: 'loading' }
  return (
    <Chart
      title={title}
      description={trendText(capacity.trends[of], quantity === 'bytes')}
      quantity={quantity}
      range={range}
      state={state}
      curve="step"
    />
  )
}
