import { timeseriesQuery } from '@purlin/contract/operations/metrics/timeseries'
import { useIsFetching } from '@tanstack/react-query'
import { type ReactNode, useState } from 'react'
import { queryClient } from '#/api/query.ts'
import type { InstanceTarget } from '#/features/instance-state/update.ts'
import { IntervalPicker } from '#/features/metrics/range/IntervalPicker.tsx'
import { RangePicker } from '#/features/metrics/range/RangePicker.tsx'
import { RangeProvider, useRange, type RangeControl } from '#/features/metrics/range/useRange.ts'
import { paths } from '#/lib/addresses.ts'
import { nameOf } from '#/api/send.ts'
import { useChangeMarks } from '#/features/audit-log/useChangeMarks.ts'
import { instanceQuery } from '#/features/instances/queries.ts'
import { useLoaded } from '#/resource/form/useLoaded.ts'
import { createCursor, CursorProvider } from '#/ui/chart/cursor.ts'
import { MarksProvider } from '#/ui/chart/marks.ts'
import { SideTabs } from '#/ui/layout/SideTabs.tsx'

const tabs = [
  ['CPU and memory', 'metrics/cpu'],
  ['Disk', 'metrics/disk'],
  ['Network', 'metrics/network'],
] as const

// Of a long range little changes from one moment to the next, and much is read.
const changesAtLeast = 1200

const reads = { queryKey: [nameOf(timeseriesQuery)] }
const lastRead = () =>
  Math.max(
    0,
    ...queryClient
      .getQueryCache()
      .findAll(reads)
      .map(({ state }) => state.dataUpdatedAt),
  )

/** The frame of an instance's charts: the range that they show, which stays when another tab is opened. */
export function MetricsTab({ target, children }: { target: InstanceTarget; children: ReactNode }) {
  const control = useRange()
  const [cursor] = useState(createCursor)
  const { id } = useLoaded(instanceQuery(target))
  const marks = useChangeMarks({
    resource: `instance:${id}`,
    all: paths.instanceTab(target, 'activity'),
    range: control.preset ? undefined : control.range,
  })
  const search = new URLSearchParams({ ...control.search }).toString()
  const href = (tab: (typeof tabs)[number][1]) => `${paths.instanceTab(target, tab)}${search && `?${search}`}`
  return (
    <RangeProvider value={control}>
      <CursorProvider value={cursor}>
        <MarksProvider value={marks}>
          <SideTabs label="Metrics" tabs={tabs.map(([label, tab]) => ({ label, href: href(tab) }))}>
            <div className="mb-4 flex flex-wrap items-center justify-between gap-3">
              <Interval control={control} />
              <RangePicker control={control} />
            </div>
            {children}
          </SideTabs>
        </MarksProvider>
      </CursorProvider>
    </RangeProvider>
  )
}

/** Alone renders again when charts begin and end to read. */
function Interval({ control }: { control: RangeControl }) {
  const isRefreshing = useIsFetching(reads) > 0
  return (
    <IntervalPicker
      isFixed={!control.preset}
      isRefreshing={isRefreshing}
      updated={lastRead()}
      pause={(control.range.end - control.range.start) / changesAtLeast}
      onTick={control.slide}
    />
  )
}
