import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { failure } from '#/api/errors.ts'
import { withLimit } from '#/features/metrics/usage/history.ts'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { ChartGrid } from '#/ui/chart/ChartGrid.tsx'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import type { TimeRange } from '#/ui/chart/data.ts'
import { MarksProvider } from '#/ui/chart/marks.ts'
import { amounts, daysOf, hoursOf, reportQuery, type Sum } from './report.ts'
import { type Subject } from './search.ts'
import { useDailyLimit, useUsageMarks } from './useSubject.ts'

interface DayChartsProps {
  subject: Subject
  range: TimeRange
  now: number
  /** Undefined without prices. */
  currency: string | undefined
}

interface Drawn {
  title: string
  unit: string
  valueOf: (sum: Sum | undefined) => number
  /** As much in a day as the quota or the hardware allows. */
  limit?: number | undefined
}

/** The use of each day. */
export function DayCharts({ subject, range, now, currency }: DayChartsProps) {
  const [cursor] = useState(createCursor)
  const { data, error, refetch } = useQuery(reportQuery(subject, range, { by: ['day'] }))
  const most = useDailyLimit(subject)
  const charts: Drawn[] = [
    ...(currency === undefined
      ? []
      : [
          {
            title: 'Cost each day',
            unit: currency,
            valueOf: (sum: Sum | undefined) => Number(sum?.cost ?? 0),
          },
        ]),
    ...amounts.map(({ field, title, unit }) => ({
      title: `${title} each day`,
      unit,
      valueOf: (sum: Sum | undefined) => hoursOf(sum, field),
      limit: most?.of[field],
    })),
  ]
  const stateOf = ({ title, valueOf, limit }: Drawn): ChartState => {
    if (error && !data) return { at: 'failed', issue: failure(error), onRetry: () => void refetch() }
    if (!data) return { at: 'loading' }
    const days = daysOf(data.items, range, { label: title, now, valueOf })
    return { at: 'ready', data: withLimit(days, range, { label: most?.label ?? '', value: limit }) }
  }
  return (
    <CursorProvider value={cursor}>
      <MarksProvider value={useUsageMarks(subject, range)}>
        <ChartGrid>
          {charts.map((chart) => (
            <Chart
              key={chart.title}
              title={chart.title}
              quantity={{ label: chart.unit }}
              range={range}
              state={stateOf(chart)}
              curve="step"
            />
          ))}
        </ChartGrid>
      </MarksProvider>
    </CursorProvider>
  )
}
