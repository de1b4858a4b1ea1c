import { messages } from '@purlin/contract/rules/messages'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, useMemo, useState } from 'react'
import { guides } from '#/lib/addresses.ts'
import { failure, hasMessage } from '#/api/errors.ts'
import { Chart, type ChartState } from '#/ui/chart/Chart.tsx'
import { hasValues } from '#/ui/chart/data.ts'
import type { Quantity } from '#/ui/chart/units.ts'
import { MenuButton } from '#/ui/overlay/MenuButton.tsx'
import { useSharedRange } from './range/useRange.ts'
import { useChartSubject } from './chartSubject.ts'
import { type MetricQuery, stagesOf, windowCounts, windowOf } from './oxql.ts'
import { percentilesOf } from './percentiles.ts'
import { chartOf, hasRange, type Line } from './points.ts'
import { chartQuery, TooManySamples } from './chartQuery.ts'
import { withLevel } from './usage/history.ts'
import { lazily } from '#/lib/lazily.tsx'

const QueryDialog = lazily(() => import('./QueryDialog.tsx'), 'QueryDialog')

/** One subject quantity of a project's resources over the range of the page. */
export interface MetricChartProps extends Line {
  project: string
  title: string
  description?: ReactNode
  quantity: Quantity
  query: MetricQuery
  /** A line for the most that there can be. */
  limit?: { label: string; value: number }
}

// Results of past ranges are not used again.
const gcTime = 30_000

export function MetricChart({ project, title, description, quantity, ...props }: MetricChartProps) {
  const { range, asOf, zoom, preset, last, setPreset } = useSharedRange()
  const subject = useChartSubject()
  // Fixed while the dialog is open, although the range moves on.
  const [shownStages, setShownStages] = useState<string[]>()
  // A query without grouping reads one series.
  const series = props.query.groupBy ? subject.count : 1
  const isOmitted = Boolean(props.query.isDistribution) && range.end - range.start > maxDistributionRange
  const { data, error, refetch } = useQuery({
    ...chartQuery({ project, query: props.query, range, series, asOf }),
    gcTime,
    enabled: !isOmitted,
    placeholderData: keepPreviousData,
    // A failed chart shows its own error.
    throwOnError: false,
  })
  const { label, convert, rank, limit } = props
  const { isDistribution, every, groupBy } = props.query
  const window = windowOf(range, every, data && hasRange(data) ? windowCounts.ranges : windowCounts.means)
  const tooMuch: ChartState = {
    at: 'omitted',
    why: `The range has too many samples for ${subject.name(series)}. Choose a shorter range.`,
  }
  const points = useMemo(() => {
    if (!data) return undefined
    if (isDistribution) return percentilesOf(data, { range, window })
    const sumOf = groupBy ? series : undefined
    const line = { label, sumOf, ...(convert && { convert }), ...(rank && { rank }) }
    const drawn = chartOf(data, { range, window }, line)
    return limit && hasValues(drawn) ? withLevel(drawn, range, limit) : drawn
  }, [data, range, window, label, convert, rank, limit, groupBy, series, isDistribution])
  return (
    <>
      <Chart
        title={title}
        description={description}
        quantity={quantity}
        range={range}
        state={
          isOmitted
            ? omitted
            : error instanceof TooManySamples
              ? tooMuch
              : stateOf(points, error, () => void refetch())
        }
        onZoom={zoom}
        onZoomOut={preset ? undefined : () => setPreset(last)}
        actions={
          <MenuButton
            label={`${title}: actions`}
            items={[
              {
                label: 'About this metric',
                onAction: () => globalThis.open(guides.metrics.href, '_blank', 'noreferrer'),
              },
              { label: 'View OxQL query', onAction: () => setShownStages(stagesOf(props.query, range)) },
            ]}
            className="inline-grid size-6.5 place-content-center rounded-md text-tertiary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
          >
            <Ellipsis size={16} aria-hidden />
          </MenuButton>
        }
      />
      {shownStages && <QueryDialog stages={shownStages} onDismiss={() => setShownStages(undefined)} />}
    </>
  )
}

// Distributions are returned as measured, which is too much data for longer ranges.
const maxDistributionRange = 3 * 3_600_000
const omitted: ChartState = { at: 'omitted', why: 'Available for ranges of up to 3 hours.' }
const emptyChart: ChartState = { at: 'ready', data: { times: [], series: [] } }

function stateOf(
  points: ReturnType<typeof chartOf> | undefined,
  error: Error | null,
  onRetry: () => void,
): ChartState {
  if (error)
    return hasMessage(error, messages.notAligned)
      ? emptyChart
      : { at: 'failed', issue: failure(error), onRetry }
  return points ? { at: 'ready', data: points } : { at: 'loading' }
}
