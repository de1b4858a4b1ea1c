import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { queryClient } from '#/api/query.ts'
import { IntervalPicker } from '#/features/metrics/range/IntervalPicker.tsx'
import { RangePicker } from '#/features/metrics/range/RangePicker.tsx'
import { useRange, type RangeControl } from '#/features/metrics/range/useRange.ts'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import type { Quantity } from '#/ui/chart/units.ts'
import { historyQuery, readsOf, stepsOf, type Metric, type Subject } from './history.ts'

const charts: readonly { title: string; metric: Metric; quantity: Quantity }[] = [
  { title: 'CPU', metric: 'cpus_provisioned', quantity: 'count' },
  { title: 'Memory', metric: 'ram_provisioned', quantity: 'bytes' },
  { title: 'Storage', metric: 'virtual_disk_space_provisioned', quantity: 'bytes' },
]

/** The provisioned resources over time. `picker` chooses the owner. */
export function UsageCharts({ subject, picker }: { subject: Subject; picker: ReactNode }) {
  const control = useRange()
  const [cursor] = useState(createCursor)
  const reads = { queryKey: [readsOf(subject.level)] }
  const isRefreshing = useIsFetching(reads) > 0
  const updated = Math.max(
    0,
    ...queryClient
      .getQueryCache()
      .findAll(reads)
      .map(({ state }) => state.dataUpdatedAt),
  )
  return (
    <CursorProvider value={cursor}>
      <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
        <div className="flex flex-wrap items-center gap-3">
          <IntervalPicker
            isFixed={!control.preset}
            isRefreshing={isRefreshing}
            updated={updated}
            pause={0}
            onTick={control.slide}
          />
          {picker}
        </div>
        <RangePicker control={control} />
      </div>
      <ChartGrid>
        {charts.map((chart) => (
          <UsageChart key={chart.metric} {...chart} subject={subject} control={control} />
        ))}
      </ChartGrid>
    </CursorProvider>
  )
}

interface UsageChartProps {
  title: string
  metric: Metric
  quantity: Quantity
  subject: Subject
  control: RangeControl
}

function UsageChart({ title, metric, quantity, subject, control }: UsageChartProps) {
  const { range, asOf } = control
  const { data, error, refetch } = useQuery({
    ...historyQuery(subject, metric, range),
    // Past ranges are not shown again.
    gcTime: 30_000,
    placeholderData: keepPreviousData,
    throwOnError: false,
  })
  const points = useMemo(
    () => data && stepsOf(data, range, { label: title, now: asOf }),
    [data, range, title, asOf],
  )
  const state: ChartState = error
    ? { at: 'failed', issue: failure(error), onRetry: () => void refetch() }
    : points
      ? { at: 'ready', data: points }
      : { at: 'loading' }
  return (
    <Chart
      title={title}
      quantity={quantity}
      range={range}
      state={state}
      curve="step"
      onZoom={control.zoom}
      onZoomOut={control.preset ? undefined : () => control.setPreset(control.last)}
    />
  )
}
