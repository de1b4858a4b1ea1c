import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import Download from 'lucide-react/icons/download'
import Receipt from 'lucide-react/icons/receipt-text'
import { useState, type ReactNode } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { searchOf } from '#/features/metrics/range/range.ts'
import { RangeButton } from '#/features/metrics/range/RangePicker.tsx'
import { guides } from '#/lib/addresses.ts'
import { serverNow } from '#/lib/clock.ts'
import { exportOf, saveExport } from '#/resource/list/ListOptions.tsx'
import { Button } from '#/ui/button/Button.tsx'
import type { TimeRange } from '#/ui/chart/data.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { PageHeader } from '#/ui/layout/PageHeader.tsx'
import { DocsPopover } from '#/ui/overlay/DocsPopover.tsx'
import { DayCharts } from './DayCharts.tsx'
import { divisionIn, partsOf, rangeIn, reportAddress, reportQuery } from './report.ts'
import {
  divisionItems,
  periods,
  reportSearch,
  usualPeriod,
  type Division,
  type ReportSearch,
  type Subject,
} from './search.ts'
import { SumTable } from './SumTable.tsx'
import { TagKey } from './TagKey.tsx'
import { Totals } from './Totals.tsx'

const custom = 'custom'
const periodItems = [
  ...Object.entries(periods).map(([value, { label }]) => ({ value, label })),
  { value: custom, label: 'Custom' },
]

interface ReportProps {
  subject: Subject
  actions?: ReactNode
  /** The control that chooses the subject of the report, if there are several. */
  choice?: ReactNode
}

/** The use by resources of a silo, a project or the fleet: all together, by day, and divided. */
export function Report({ subject, actions, choice }: ReportProps) {
  const given: Record<string, unknown> = useSearch({ strict: false })
  const search = reportSearch(subject.level)(given)
  const navigate = useNavigate()
  const [now] = useState(serverNow)
  const range = rangeIn(search, now)
  const show = (next: ReportSearch) => void navigate({ to: '.', search: { ...next }, resetScroll: false })
  const division = divisionIn(search, subject)
  const parts = partsOf(division, search.tag)
  const total = useQuery(reportQuery(subject, range, {}))
  const { error } = total
  const [sum] = total.data?.items ?? []
  const isEmpty = total.data?.items.length === 0
  return (
    <>
      <PageHeader icon={<Receipt />} title="Usage">
        {actions}
        <Button
          icon={<Download size={15} aria-hidden />}
          disabledReason={isEmpty ? 'Nothing was used in this time' : undefined}
          onClick={() => void saveExport(exportOf(reportAddress(subject, range, parts ?? {}))('csv'))}
        >
          Download CSV
        </Button>
        <DocsPopover
          topic="usage"
          icon={<Receipt />}
          summary="vCPU hours, memory, storage and addresses that resources used, to the second, and what they cost if the operator has set prices."
          links={[guides.usage, guides.quotas]}
        />
      </PageHeader>
      <Controls {...{ subject, search, range, division, show, choice }} />
      {error && !total.data ? (
        <Notice tone="danger" title="Could not load the usage">
          <p className="mb-2">{errorMessage(error)}</p>
          <Button onClick={() => void total.refetch()}>Try again</Button>
        </Notice>
      ) : (
        <div className="flex flex-col gap-6">
          <Totals sum={sum} isLoading={total.isPending} />
          <SumTable {...{ subject, range, division, parts }} />
          <DayCharts {...{ subject, range, now }} currency={sum?.currency} />
        </div>
      )}
    </>
  )
}

interface ControlsProps {
  subject: Subject
  search: ReportSearch
  range: TimeRange
  division: Division
  show: (next: ReportSearch) => void
  choice: ReactNode
}

function Controls({ subject, search, range, division, show, choice }: ControlsProps) {
  const { start, end, period, ...others } = search
  const isFixed = start !== undefined && end !== undefined
  const showRange = (next: TimeRange) => show({ ...others, ...searchOf(next) })
  return (
    <div className="mb-4 flex flex-wrap items-end gap-3">
      {choice}
      <ListboxField
        label="Choose a time"
        hideLabel
        className="w-40"
        items={periodItems}
        value={isFixed ? custom : (period ?? usualPeriod)}
        onChange={(next) =>
          next === custom ? showRange(range) : show({ ...others, period: next as keyof typeof periods })
        }
      />
      {isFixed && <RangeButton range={range} onChange={showRange} />}
      <ListboxField
        label="Divide by"
        hideLabel
        className="w-40"
        items={divisionItems(subject).map(({ value, label }) => ({
          value,
          label: `By ${label.toLowerCase()}`,
        }))}
        value={division}
        onChange={(by) => show({ ...search, by: by as Division })}
      />
      {division === 'tag' && (
        <TagKey key={search.tag} value={search.tag} onChange={(tag) => show({ ...search, tag })} />
      )}
    </div>
  )
}
