import type { ReactNode } from 'react'
import { cx } from '#/lib/text.ts'
import { Dash } from './Dash.tsx'
import { DateTime } from './DateTime.tsx'
import { RelativeTime } from './RelativeTime.tsx'
import { Truncate } from './Truncate.tsx'

/** One property. A missing value is shown as a dash. */
export interface Property {
  label: string
  value: ReactNode
  /** Takes the width of two above the tabs of a narrow page. */
  isLong?: boolean
}

interface PropertiesTableProps {
  properties: readonly Property[]
  columns?: 1 | 2
  hasLongLabels?: boolean
}

/** 'Properties table': name and value in two columns from 1000 px, one below. */
export function PropertiesTable({ properties, columns = 2, hasLongLabels = false }: PropertiesTableProps) {
  return (
    <div
      role="group"
      aria-label="Properties table"
      className="overflow-hidden rounded-lg border border-line bg-raised"
    >
      <PropertyRows properties={properties} columns={columns} hasLongLabels={hasLongLabels} />
    </div>
  )
}

/** The rows of a table of properties, without its frame. */
export const PropertyRows = ({ properties, columns = 2, hasLongLabels = false }: PropertiesTableProps) => (
  <dl className={`-mb-px grid ${columns === 2 ? 'wide:grid-cols-2' : ''}`}>
    {properties.map(({ label, value }) => (
      <div
        key={label}
        className="flex min-h-10 min-w-0 items-baseline gap-3.5 border-b border-line-faint px-4 py-2.5"
      >
        <dt className={cx('label-mono shrink-0', hasLongLabels ? 'w-48 max-split:w-28' : 'w-28')}>{label}</dt>
        <dd className="min-w-0 grow">
          <PropertyValue value={value} />
        </dd>
      </div>
    ))}
  </dl>
)

/** The value of a property, or a dash. */
export const PropertyValue = ({ value }: Pick<Property, 'value'>) =>
  value === null || value === undefined || value === '' ? <Dash /> : value

/** The standard 'ID' row: shortened to 32 characters, with a copy button. */
export const idProperty = (id: string): Property => ({
  label: 'ID',
  value: <Truncate text={id} max={32} at="middle" copyable className="mono" />,
})

/** The fields of a resource in the standard rows. One without a name may lack the times. */
export interface IdentityOfRow {
  id: string
  timeCreated?: Date
  timeModified?: Date
}

/** The standard rows on top of an edit form. */
export const identityProperties = ({ id, timeCreated, timeModified }: IdentityOfRow): Property[] => [
  idProperty(id),
  ...(timeCreated ? [{ label: 'Created', value: <DateTime date={timeCreated} /> }] : []),
  ...(timeModified ? [{ label: 'Updated', value: <DateTime date={timeModified} /> }] : []),
]

/** The standard 'Description' row; with `max`, cut at that many characters. */
export const descriptionProperty = (text: string, max?: number): Property => ({
  label: 'Description',
  isLong: true,
  value: text === '' ? <Dash /> : <Truncate text={text} {...(max === undefined ? {} : { max })} />,
})

/** How old a resource is, with the time of its creation on hover. */
export const ageProperty = (timeCreated: Date): Property => ({
  label: 'Age',
  value: <RelativeTime date={timeCreated} caption="Created" />,
})
