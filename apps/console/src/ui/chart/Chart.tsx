import ChartLine from 'lucide-react/icons/chart-line'
import TableIcon from 'lucide-react/icons/table'
import { type ReactNode, useMemo, useState } from 'react'
import { lazily } from '#/lib/lazily.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { Card } from '#/ui/layout/Card.tsx'
import { EmptyState } from '#/ui/feedback/EmptyState.tsx'
import { FormErrorBanner, type FormIssue } from '#/ui/form/FormErrorBanner.tsx'
import { IconButton } from '#/ui/button/IconButton.tsx'
import { Tooltip } from '#/ui/overlay/Tooltip.tsx'
import { ChartLegend } from './ChartLegend.tsx'
import { ChartTable } from './ChartTable.tsx'
import { useCursorStore } from './cursor.ts'
import { type ChartData, hasValues, largestOf, type TimeRange } from './data.ts'
import type { Curve } from './options.ts'
import { type Quantity, unitOf } from './units.ts'

/** The data that has been loaded so far. */
export type ChartState =
  | { at: 'loading' }
  | { at: 'failed'; issue: FormIssue; onRetry: () => void }
  | { at: 'ready'; data: ChartData }
  | { at: 'omitted'; why: string }

/** Values over time in a card: a drawing and, as its accessible alternative, a table of the same values. */
export interface ChartProps {
  title: string
  description?: ReactNode
  quantity: Quantity
  /** The range of time shown, also where there are no points in it. */
  range: TimeRange
  state: ChartState
  curve?: Curve
  /** At the right of the head. */
  actions?: ReactNode
  /** Called when a range was selected with the pointer. */
  onZoom?: ((range: TimeRange) => void) | undefined
  /** Called on a double press, which zooms out again. */
  onZoomOut?: (() => void) | undefined
}

const noData: ChartData = { times: [], series: [] }

export function Chart({ title, description, quantity, state, actions, ...rest }: ChartProps) {
  const [isTable, setTable] = useState(false)
  const data = state.at === 'ready' ? state.data : noData
  const cursor = useCursorStore()
  const unit = useMemo(() => unitOf(quantity, largestOf(data)), [quantity, data])
  const isDrawn = hasValues(data)
  return (
    <Card
      title={
        <>
          {title} <span className="font-normal text-secondary">({unit.label})</span>
        </>
      }
      description={description}
      actions={
        <>
          <TableSwitch title={title} isTable={isTable} onSwitch={() => setTable(!isTable)} />
          {actions}
        </>
      }
      footer={isDrawn && !isTable && <ChartLegend {...{ title, data, unit, cursor }} />}
    >
      {isTable && isDrawn ? (
        <ChartTable title={title} data={data} unit={unit} />
      ) : (
        <div className="h-[300px]">
          {state.at === 'loading' && <ChartLoading />}
          {state.at === 'failed' && <ChartFailed {...state} />}
          {state.at === 'ready' && !isDrawn && (
            <ChartEmpty title="No data" body="There is no data for this time period." />
          )}
          {state.at === 'omitted' && <ChartEmpty title="Not shown" body={state.why} />}
          {isDrawn && (
            <Plot
              {...{ title, data, unit, cursor }}
              range={rest.range}
              curve={rest.curve ?? 'straight'}
              onZoom={rest.onZoom}
              onZoomOut={rest.onZoomOut}
            />
          )}
        </div>
      )}
    </Card>
  )
}

function TableSwitch({
  title,
  isTable,
  onSwitch,
}: {
  title: string
  isTable: boolean
  onSwitch: () => void
}) {
  return (
    <Tooltip content={isTable ? 'Show as chart' : 'Show as table'} describes={false}>
      <IconButton label={`${title}: show as table`} size="small" aria-pressed={isTable} onClick={onSwitch}>
        {isTable ? <ChartLine size={15} /> : <TableIcon size={15} />}
      </IconButton>
    </Tooltip>
  )
}

const ChartLoading = () => (
  <div
    role="status"
    aria-label="Chart loading"
    className="drafting-grid size-full rounded-sm border border-line-faint motion-safe:animate-skeleton"
  />
)

const Plot = lazily(() => import('./Plot.tsx'), 'Plot', <ChartLoading />)

const ChartEmpty = (words: { title: string; body: string }) => <EmptyState {...words} className="size-full" />

const ChartFailed = ({ issue, onRetry }: { issue: FormIssue; onRetry: () => void }) => (
  <div className="flex size-full flex-col items-start gap-3 overflow-y-auto">
    <p className="font-semibold">Something went wrong</p>
    <FormErrorBanner issues={[issue]} className="w-full" />
    <Button onClick={onRetry}>Try again</Button>
  </div>
)
