import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import { sections } from '#/lib/addresses.ts'
import { inHundredths } from '#/lib/format.ts'
import { Button } from '#/ui/button/Button.tsx'
import type { TimeRange } from '#/ui/chart/data.ts'
import { Notice } from '#/ui/feedback/Notice.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { amounts, hoursOf, labelOf, mostRows, reportQuery, rowsOf, type Parts, type Sum } from './report.ts'
import { divisionItems, type Division, type Subject } from './search.ts'

interface SumTableProps {
  subject: Subject
  range: TimeRange
  division: Division
  /** Undefined while the key of the tag is missing. */
  parts: Parts | undefined
}

// The charts are below.
const atFirst = 10
const more = 50

/** The sums of a report, by silo, project, day or the values of a tag. */
export function SumTable({ subject, range, division, parts }: SumTableProps) {
  const [shown, setShown] = useState(atFirst)
  const { data, error, refetch } = useQuery({
    ...reportQuery(subject, range, parts ?? {}),
    enabled: parts !== undefined,
  })
  if (!parts)
    return <p className="text-secondary">Enter the key of a tag to see the usage of each of its values.</p>
  if (error && !data)
    return (
      <Notice tone="danger" title="Could not divide the usage">
        <p className="mb-2">{errorMessage(error)}</p>
        <Button onClick={() => void refetch()}>Try again</Button>
      </Notice>
    )
  const rows = data ? rowsOf(data.items, division) : []
  const title = divisionItems(subject).find(({ value }) => value === division)?.label ?? ''
  if (data && rows.length === 0) return <p className="text-secondary">Nothing was used in this time.</p>
  return (
    <div className="flex flex-col items-start gap-3">
      <Table
        className="w-full"
        label={`Usage by ${title.toLowerCase()}`}
        columns={columnsOf({ subject, division, title, currency: rows[0]?.currency })}
        rows={rows.slice(0, shown)}
        rowKey={(sum) => sum.siloId ?? sum.projectId ?? sum.day?.toISOString() ?? `=${sum.tagValue ?? ''}`}
        skeletonRows={rows.length === 0 ? 3 : 0}
      />
      {rows.length > shown && (
        <Button onClick={() => setShown(shown + more)}>Show more of {rows.length.toLocaleString()}</Button>
      )}
      {data?.nextPage != null && (
        <p className="text-secondary">
          The table has {mostRows.toLocaleString()} of more rows. Download the CSV file for all of them.
        </p>
      )}
    </div>
  )
}

interface Columns {
  subject: Subject
  division: Division
  title: string
  currency: string | undefined
}

function columnsOf({ subject, division, title, currency }: Columns): Column<Sum>[] {
  return [
    { id: 'part', header: title, cell: (sum) => <Label sum={sum} subject={subject} division={division} /> },
    ...amounts.map(({ field, header }): Column<Sum> => ({
      id: field,
      header,
      mono: true,
      align: 'right',
      cell: (sum) => inHundredths(hoursOf(sum, field)),
    })),
    ...(currency === undefined
      ? []
      : [
          {
            id: 'cost',
            header: `Cost (${currency})`,
            mono: true,
            align: 'right',
            cell: ({ cost }: Sum) => inHundredths(Number(cost)),
          } as const,
        ]),
  ]
}

/** Leads to a silo, or to a project of the own silo. */
function Label({ sum, subject, division }: { sum: Sum; subject: Subject; division: Division }) {
  const label = labelOf(sum, division)
  const { siloName, projectName } = sum
  if (division === 'silo' && siloName !== undefined)
    return <CellLink href={sections.silo.view({ name: siloName })}>{label}</CellLink>
  if (division === 'project' && projectName !== undefined && subject.level === 'silo')
    return <CellLink href={sections.project.view({ name: projectName })}>{label}</CellLink>
  return label
}
