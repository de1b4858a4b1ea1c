import { useState } from 'react'
import { formatExact } from '#/lib/format.ts'
import { type PageSize, Pagination } from '#/ui/table/Pagination.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import type { ChartData, ChartSeries } from './data.ts'
import { written } from './PlotTooltip.tsx'
import type { Unit } from './units.ts'
import { useZone } from './useZone.ts'

/** The data of a chart as a table, a page of points at a time, the newest first. */
export function ChartTable({ title, data, unit }: { title: string; data: ChartData; unit: Unit }) {
  const [size, setSize] = useState<PageSize>(25)
  const [page, setPage] = useState(0)
  const style = useZone()
  const { times, series } = data
  const last = Math.max(0, Math.ceil(times.length / size) - 1)
  const shown = Math.min(page, last)
  const rows = times.map((_, i) => times.length - 1 - i).slice(shown * size, (shown + 1) * size)
  const columns: Column<number>[] = [
    { id: 'time', header: 'Time', cell: (at) => formatExact(new Date(times[at] ?? 0), style) },
    ...series.flatMap(({ label, values, range }) => [
      valueColumn(label, values, unit),
      ...(range ? [valueColumn('Least', range.least, unit), valueColumn('Most', range.most, unit)] : []),
    ]),
  ]
  return (
    <div className="flex flex-col gap-3">
      <Table label={title} columns={columns} rows={rows} rowKey={String} />
      {times.length > size && (
        <Pagination
          pageSize={size}
          onPageSize={setSize}
          hasPrevious={shown > 0}
          hasNext={shown < last}
          onPrevious={() => setPage(shown - 1)}
          onNext={() => setPage(shown + 1)}
        />
      )}
    </div>
  )
}

const valueColumn = (header: string, values: ChartSeries['values'], unit: Unit): Column<number> => ({
  id: header,
  header,
  mono: true,
  align: 'right',
  cell: (at) => written(values[at], unit),
})
