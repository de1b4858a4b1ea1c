import { keepPreviousData, useQuery } from '@tanstack/react-query'
import Ellipsis from 'lucide-react/icons/ellipsis'
import { type ReactNode, useMemo, useState } from 'react'
import { lazily } from '../../lib/lazily.tsx'
import { guides } from '../../paths.ts'
import { ApiError, failure } from '../../send.ts'
import { Chart, type ChartState } from '../../ui/chart/Chart.tsx'
import type { Quantity } from '../../ui/chart/units.ts'
import { MenuButton } from '../../ui/MenuButton.tsx'
import { useSharedRange } from '../range/useRange.ts'
import { useMeasured } from './measured.ts'
import { type MetricQuery, stagesOf, windowOf } from './oxql.ts'
import { percentilesOf } from './percentiles.ts'
import { chartOf, type Line } from './points.ts'
import { readOf, TooMuch } from './read.ts'

const QueryDialog = lazily(() => import('./QueryDialog.tsx'), 'QueryDialog')

/** One measured quantity of a project's things, over the range of the page. */
export interface MetricChartProps extends Line {
  project: string
  title: string
  description?: ReactNode
  quantity: Quantity
  query: MetricQuery
}

// Answers to ranges that have slid on are of no use any more.
const gcTime = 30_000

/** How the API says that there is nothing to sum up. */
const isNothing = (error: Error): boolean =>
  error instanceof ApiError && error.message === 'Input tables to a `group_by` must be aligned'

export function MetricChart({ project, title, description, quantity, ...props }: MetricChartProps) {
  const { range, asOf, zoom, preset, last, setPreset } = useSharedRange()
  const measured = useMeasured()
  // As it was when asked for: it must not change under the reader.
  const [read, setRead] = useState<string[]>()
  // What is not summed up is one series alone.
  const series = props.query.groupBy ? measured.count : 1
  const isOmitted = Boolean(props.query.isDistribution) && range.end - range.start > longest
  const { data, error, refetch } = useQuery({
    ...readOf({ project, query: props.query, range, series, asOf }),
    gcTime,
    enabled: !isOmitted,
    placeholderData: keepPreviousData,
    // A chart that fails leaves the page as it is.
    throwOnError: false,
  })
  const { label, convert } = props
  const window = windowOf(range, props.query.every)
  const { isDistribution } = props.query
  const tooMuch: ChartState = {
    at: 'omitted',
    why: `This stretch holds more samples than can be shown for ${measured.name(series)}. Choose a shorter one.`,
  }
  const points = useMemo(
    () =>
      data &&
      (isDistribution
        ? percentilesOf(data, { range, window })
        : chartOf(data, { range, window }, { label, ...(convert ? { convert } : {}) })),
    [data, range, window, label, convert, isDistribution],
  )
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
            : error instanceof TooMuch
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
              { label: 'View OxQL query', onAction: () => setRead(stagesOf(props.query, range)) },
            ]}
            className="inline-grid size-6.5 place-content-center rounded-md text-tertiary hover:bg-hover hover:text-ink aria-expanded:bg-hover aria-expanded:text-ink"
          >
            <Ellipsis size={16} aria-hidden />
          </MenuButton>
        }
      />
      {read && <QueryDialog stages={read} onDismiss={() => setRead(undefined)} />}
    </>
  )
}

// Distributions come as they were measured, too many of them for a longer range.
const longest = 3 * 3_600_000
const omitted: ChartState = { at: 'omitted', why: 'This is shown for ranges of up to 3 hours.' }
const nothing: ChartState = { at: 'ready', data: { times: [], series: [] } }

function stateOf(
  points: ReturnType<typeof chartOf> | undefined,
  error: Error | null,
  onRetry: () => void,
): ChartState {
  if (error) return isNothing(error) ? nothing : { at: 'failed', issue: failure(error), onRetry }
  return points ? { at: 'ready', data: points } : { at: 'loading' }
}
