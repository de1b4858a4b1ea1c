import type { ReactNode } from 'react'
import { Dash } from './Dash.tsx'
import { DateTime } from './DateTime.tsx'
import { Truncate } from './Truncate.tsx'

/** One property. A missing value is shown as a dash. */
export interface Property {
  label: string
  value: ReactNode
}

/** 'Properties table': name and value in two columns from 1000 px, one below. */
export function PropertiesTable({
  properties,
  columns = 2,
}: {
  properties: readonly Property[]
  columns?: 1 | 2
}) {
  return (
    <div
      role="group"
      aria-label="Properties table"
      className="overflow-hidden rounded-lg border border-line bg-raised"
    >
      <dl className={`-mb-px grid ${columns === 2 ? 'wide:grid-cols-2' : ''}`}>
        {properties.map(({ label, value }) => (
          <div
            key={label}
            className="flex min-h-10 min-w-0 items-baseline gap-3.5 border-b border-line-faint px-4 py-2.5"
          >
            <dt className="label-mono w-28 shrink-0">{label}</dt>
            <dd className="min-w-0 grow">
              {value === null || value === undefined || value === '' ? <Dash /> : value}
            </dd>
          </div>
        ))}
      </dl>
    </div>
  )
}

/** The standard 'ID' row: shortened to 32 characters, with a copy button. */
export const idProperty = (id: string): Property => ({
  label: 'ID',
  value: <Truncate text={id} max={32} at="middle" copyable className="mono" />,
})

/** The standard rows on top of an edit form. */
export const identityProperties = (of: { id: string; timeCreated: Date; timeModified: Date }): Property[] => [
  idProperty(of.id),
  { label: 'Created', value: <DateTime date={of.timeCreated} /> },
  { label: 'Updated', value: <DateTime date={of.timeModified} /> },
]

/** The standard 'Description' row. */
export const descriptionProperty = (text: string): Property => ({
  label: 'Description',
  value: text === '' ? <Dash /> : <Truncate text={text} />,
})
