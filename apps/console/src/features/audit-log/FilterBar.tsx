import { isOneOf, keysOf } from '@purlin/contract/rules/keys'
import { useState, type ReactNode } from 'react'
import { Button } from '#/ui/button/Button.tsx'
import { ListboxField } from '#/ui/field/ListboxField.tsx'
import { TextField } from '#/ui/field/TextField.tsx'
import { KindFilter, ObjectFilter } from './ObjectFilter.tsx'
import { OperationFilter } from './OperationFilter.tsx'
import { ActorFilter, SiloFilter } from './PickedFilters.tsx'
import { isFiltered, spanOf } from './filters.ts'
import { results, spans, type AuditFilters, type AuditLevel, type Span } from './search.ts'

const spanWords: Record<Span, string> = {
  '1h': 'Last hour',
  '24h': 'Last 24 hours',
  '7d': 'Last 7 days',
  '30d': 'Last 30 days',
  all: 'All',
}
const resultWords = { any: 'Any', success: 'Success', error: 'Error', unknown: 'Unknown' }
const itemsOf = (words: Record<string, string>) =>
  Object.entries(words).map(([value, label]) => ({ value, label }))

/** The filters that are typed. */
const typed = {
  address: { label: 'Address', placeholder: '192.0.2.1' },
  agent: { label: 'User agent', placeholder: 'curl' },
} as const

export interface FilterBarProps {
  /** Those of one resource have fewer filters. */
  level: AuditLevel
  filters: AuditFilters
  /** The name of the user who is filtered for, if it is known. */
  actorName: string | undefined
  /** The name of the object that is filtered for, if it is known. */
  objectName?: string | undefined
  /** Whether entries are about objects of several kinds. */
  hasKinds?: boolean
  onChange: (filters: AuditFilters) => void
  /** At the right, below the filters. */
  children?: ReactNode
}

/** The filters of the log. A typed filter applies once Enter is pressed or its field is left. */
export function FilterBar(props: FilterBarProps) {
  const { level, filters, actorName, objectName, hasKinds = true, onChange, children } = props
  const isOfLog = level !== 'resource'
  const span = spanOf(filters, level)
  const set = (more: AuditFilters) => onChange({ ...filters, ...more })
  const { from: _from, to: _to, last: _last, ...unbounded } = filters
  const { last, from, to } = filters
  const times = { ...(last && { last }), ...(from && { from }), ...(to && { to }) }
  const clear = isFiltered(filters) && (
    <Button
      size="small"
      variant="ghost"
      className="self-end justify-self-start"
      onClick={() => onChange(times)}
    >
      Clear filters
    </Button>
  )
  return (
    <search aria-label="Filters" className="mb-4 flex flex-col gap-3">
      <div className="grid grid-cols-[repeat(auto-fill,minmax(7.5rem,1fr))] items-start gap-3 frame:grid-cols-[repeat(auto-fill,minmax(6.75rem,1fr))]">
        <ListboxField
          label="Time"
          isFilter
          items={[
            ...itemsOf(spanWords),
            ...(span === 'custom' ? [{ value: 'custom', label: 'As in the address' }] : []),
          ]}
          value={span}
          onChange={(value) => isOneOf(keysOf(spans), value) && onChange({ ...unbounded, last: value })}
        />
        <ListboxField
          label="Result"
          isFilter
          items={itemsOf(resultWords)}
          value={filters.result ?? 'any'}
          onChange={(value) => {
            const { result: _, ...others } = filters
            onChange(isOneOf(results, value) ? { ...others, result: value } : others)
          }}
        />
        {level === 'fleet' && (
          // The actor may be of another silo.
          <SiloFilter value={filters.silo ?? ''} onChange={(silo) => set({ silo, actor: undefined })} />
        )}
        <ActorFilter
          value={filters.actor ?? ''}
          name={actorName}
          silo={filters.silo}
          onChange={(actor) => set({ actor })}
        />
        {hasKinds && (
          <KindFilter
            value={filters.kind}
            // A resource that is chosen by id has one kind.
            onChange={(kind) => set({ kind, object: undefined })}
          />
        )}
        {isOfLog && (
          <ObjectFilter
            kind={filters.kind}
            value={filters.object ?? ''}
            name={objectName}
            onChange={(object) => set({ object })}
          />
        )}
        <OperationFilter value={filters.operation ?? ''} onChange={(operation) => set({ operation })} />
        {isOfLog &&
          keysOf(typed).map((key) => (
            <TypedFilter
              key={key}
              {...typed[key]}
              value={filters[key] ?? ''}
              onValue={(text) => set({ [key]: text === '' ? undefined : text })}
            />
          ))}
        {!isOfLog && clear}
      </div>
      {isOfLog && (
        <div className="flex min-h-control flex-wrap items-center gap-2">
          {clear}
          <div className="ml-auto flex flex-wrap items-center gap-2">{children}</div>
        </div>
      )}
    </search>
  )
}

interface TypedFilterProps {
  label: string
  placeholder: string
  value: string
  onValue: (text: string) => void
}

function TypedFilter({ label, placeholder, value, onValue }: TypedFilterProps) {
  const [text, setText] = useState(value)
  const [shown, setShown] = useState(value)
  // The address has changed by other means, such as the menu of a row.
  if (value !== shown) {
    setShown(value)
    setText(value)
  }
  const apply = () => text.trim() !== value && onValue(text.trim())
  return (
    <TextField
      label={label}
      isFilter
      mono
      placeholder={placeholder}
      value={text}
      onChange={setText}
      onEnter={apply}
      onBlur={apply}
    />
  )
}
