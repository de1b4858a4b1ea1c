/** The filters of the log as words. */
import { kindNames, kinds } from '@purlin/contract/rules/kinds'
import { useQuery } from '@tanstack/react-query'
import { QueryBox } from '#/resource/list/ListSearch.tsx'
import { listOf } from './filters.ts'
import { recorded } from './OperationFilter.tsx'
import type { AuditFilters, AuditLevel } from './search.ts'
import { filtersIn, wordsOf } from './words.ts'

interface LogWordsProps {
  label: string
  level: AuditLevel
  filters: AuditFilters
  onChange: (filters: AuditFilters) => void
}

const types = [...new Set(kindNames.map((kind) => kinds[kind].type))]

/** The box that shows the filters as words, and takes more of them. */
export function LogWords({ label, level, filters, onChange }: LogWordsProps) {
  const { data: operations = [] } = useQuery({ ...recorded, throwOnError: false })
  return (
    <div className="mb-3 flex">
      <QueryBox
        label={label}
        kind={listOf[level]}
        place={{
          query: { find: '', filters: wordsOf(filters) },
          setQuery: ({ filters: words }) => onChange(filtersIn(words, filters, listOf[level])),
          hasWords: false,
        }}
        values={{ operation: operations.map(({ value }) => value), kind: types }}
      />
    </div>
  )
}
