import { keepPreviousData, useIsFetching, useQuery } from '@tanstack/react-query'
import { useMemo, useState, type ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { queryClient } from '#/api/query.ts'
import { IntervalPicker } from '../range/IntervalPicker.tsx'
import { RangePicker } from '../range/RangePicker.tsx'
import { useRange, type RangeControl } from '../range/useRange.ts'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import { MarksProvider, noMarks, type ChartMarks } from '#/ui/chart/marks.ts'
import type { Quantity } from '#/ui/chart/units.ts'
import { historyQuery, readsOf, stepsOf, withLimit, type Resource, type Subject } from './history.ts'

const charts: readonly { title: string; resource: Resource; quantity: Quantity }[] = [
  { title: 'CPU', resource: 'cpus', quantity: 'vcpus' },
  { title: 'Memory', resource: 'memory', quantity: 'bytes' },
  { title: 'Storage', resource: 'storage', quantity: 'bytes' },
]

/** The present limits of the owner. */
export type Limits = Partial<Record<Resource, number>>

interface UsageChartsProps {
  subject: Subject
  /** Shown as lines where they are near. */
  limits?: Limits | undefined
  /** The name of the lines. */
  limitLabel?: string
  /** The changes of the owner, if they are known. */
  marks?: ChartMarks | undefined
  /** Chooses the owner. */
  picker?: ReactNode
}

/** The resources over time. */
export function UsageCharts({
  subject,
  limits,
  limitLabel = 'Quota now',
  marks = noMarks,
  picker,
}: UsageChartsProps) {
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
      <MarksProvider value={marks}>
        <ChartGrid>
          {charts.map((chart) => (
            <UsageChart
              key={chart.resource}
              {...chart}
              subject={subject}
              limit={limits?.[chart.resource]}
              limitLabel={limitLabel}
              control={control}
            />
          ))}
        </ChartGrid>
      </MarksProvider>
    </CursorProvider>
  )
}

interface UsageChartProps {
  title: string
  resource: Resource
  quantity: Quantity
  subject: Subject
  limit: number | undefined
  limitLabel: string
  control: RangeControl
}

function UsageChart({ title, resource, quantity, subject, limit, limitLabel, control }: UsageChartProps) {
  const { range, asOf } = control
  const { data, error, refetch } = useQuery({
    ...historyQuery(subject, resource, range),
    // Past ranges are not shown again.
    gcTime: 30_000,
    placeholderData: keepPreviousData,
    throwOnError: false,
  })
  const points = useMemo(() => {
    const steps = data && stepsOf(data, range, { label: title, now: asOf })
    return steps && withLimit(steps, range, { label: limitLabel, value: limit })
  }, [data, range, title, asOf, limit, limitLabel])
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
