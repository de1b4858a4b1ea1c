/** The entries of the audit log: those of all silos, or of one's own. */
import { serverNow } from '#/lib/clock.ts'
import {
  auditLogExport,
  auditLogList,
  siloAuditLogExport,
  siloAuditLogList,
} from '@purlin/contract/operations/audit/audit-log'
import { mainObject, nameOf } from '@purlin/contract/rules/audit/deeds'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { exportReason, useListOptions } from '#/resource/list/ListOptions.tsx'
import { usePaging } from '#/resource/list/paging.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { Button } from '#/ui/button/Button.tsx'
import { DateTime } from '#/ui/value/DateTime.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { CellLink } from '#/ui/table/CellLink.tsx'
import type { Column } from '#/ui/table/columns.ts'
import {
  actorNameIn,
  actorWords,
  menuOfDone,
  ObjectCell,
  ResultBadge,
  whatWords,
  type Entry,
} from './entries.tsx'
import { FilterBar } from './FilterBar.tsx'
import { LogWords } from './LogWords.tsx'
import { NoEntries } from './NoEntries.tsx'
import { OpenedEntry } from './OpenedEntry.tsx'
import { auditQuery, filtersOf, given, hrefOf, isFiltered, opening, textOf } from './filters.ts'
import { auditSearch, type AuditFilters, type AuditLevel, type AuditSearch } from './search.ts'

export type Level = Exclude<AuditLevel, 'resource'>

const liveMs = 2_000

/** The page that an address gives. Both operations answer alike. */
export const entriesQuery = (level: Level, search: AuditSearch) =>
  query(level === 'fleet' ? auditLogList : siloAuditLogList, {
    query: auditQuery(search, serverNow()),
  })

const exportPath = { fleet: auditLogExport.path, silo: siloAuditLogExport.path }
const snakeKeys: Partial<Record<string, string>> = {
  startTime: 'start_time',
  endTime: 'end_time',
  objectName: 'object_name',
  objectType: 'object_type',
  sourceIp: 'source_ip',
  userAgent: 'user_agent',
}

/** Where all entries that match the filters are downloaded. */
function exportAddress(level: Level, filters: AuditFilters, format: 'jsonl' | 'csv'): string {
  const params = Object.entries(filtersOf(filters, serverNow())).flatMap(([key, value]) =>
    [value].flat().map((one) => [snakeKeys[key] ?? key, one instanceof Date ? one.toISOString() : one]),
  )
  return `${exportPath[level]}?${new URLSearchParams([...params, ['format', format]]).toString()}`
}

export function AuditExplorer({ level, search }: { level: Level; search: AuditSearch }) {
  const navigate = useNavigate()
  const paging = usePaging()
  const page = entriesQuery(level, search)
  const { data } = useQuery({ ...page, throwOnError: false, placeholderData: keepPreviousData })
  // The router leaves in it what belongs to another page, such as the number of rows before.
  const { entry: _entry, time: _time, live, page: _page, size, ...filters } = auditSearch({ ...search })
  const keeping = { ...(size === undefined ? {} : { size }), ...(live ? { live } : {}) }
  const go = (next: AuditSearch) => void navigate({ to: '.', search: given(next), resetScroll: false })
  // Another filter begins with its first page.
  const filter = (next: AuditFilters) => go({ ...keeping, ...next })
  const object = data?.items
    .flatMap(({ objects = [] }) => objects)
    .find(({ id }) => id === filters.object?.toLowerCase())
  const more = data?.nextPage
  const options = useListOptions({
    type: 'audit-log-entry',
    columns: columnsOf(level, (entry) => hrefOf({ ...search, ...opening(entry) })),
    exported: (format) => exportAddress(level, filters, format),
    // Older entries may match.
    disabledReason: more ? undefined : exportReason(data),
    view: {
      text: textOf({ ...filters, ...(size === undefined ? {} : { size }) }),
      show: (text) => go(viewOf(text)),
    },
  })
  return (
    <>
      <LogWords label="audit log" level={level} filters={filters} onChange={filter} />
      <FilterBar
        level={level}
        filters={filters}
        actorName={actorNameIn(data?.items, filters.actor)}
        objectName={object && nameOf(object)}
        onChange={(next) => filter(next)}
      >
        <Button
          aria-pressed={live === true}
          onClick={() => go({ ...keeping, ...filters, live: live ? undefined : true })}
        >
          {live ? 'Stop live tail' : 'Live tail'}
        </Button>
        {options.button}
      </FilterBar>
      <OpenedEntry
        search={search}
        items={data?.items}
        read={(other) => entriesQuery(level, other)}
        onDismiss={() => go({ ...search, entry: undefined, time: undefined })}
      />
      <QueryTable<Entry>
        label="Audit log"
        query={page}
        isSearchedAbove
        columns={options.columns}
        actions={(one) => <RowMenu items={menuOf(one, (next) => filter({ ...filters, ...next }))} />}
        refetchInterval={live && paging.isFirst ? liveMs : false}
        empty={
          <NoEntries
            more={more}
            body={
              isFiltered(filters)
                ? 'No entry of this time matches the filters.'
                : 'Every operation that changes something, and every sign-in, is recorded here.'
            }
          />
        }
      />
    </>
  )
}

/** The parts of the address for the whole log, not for one page or entry. */
function viewOf(text: string): AuditSearch {
  const all = auditSearch(Object.fromEntries(new URLSearchParams(text)))
  const { page: _page, entry: _entry, time: _time, live: _live, ...view } = all
  return view
}

/** In windows that are not wide, so that the result stays in view. */
const wrapped = 'max-roomy:w-max max-roomy:max-w-36 max-roomy:whitespace-normal'

const columnsOf = (level: Level, href: (entry: Entry) => string): readonly Column<Entry>[] => [
  {
    id: 'time',
    header: 'time',
    cell: ({ timeCompleted }) => <DateTime date={timeCompleted} seconds />,
    width: '13rem',
  },
  {
    id: 'operation',
    header: 'operation',
    cell: (entry) => <CellLink href={href(entry)}>{whatWords(entry)}</CellLink>,
  },
  {
    id: 'object',
    header: 'object',
    cell: (one) => (
      <div className={wrapped}>
        <ObjectCell done={one} />
      </div>
    ),
  },
  { id: 'actor', header: 'actor', cell: actorWords },
  ...(level === 'fleet'
    ? [{ id: 'silo', header: 'silo', spare: 2, cell: ({ siloName }: Entry) => siloName ?? '' }]
    : []),
  { id: 'address', header: 'address', spare: 3, mono: true, cell: ({ sourceIp }) => sourceIp },
  { id: 'result', header: 'result', cell: ({ result }) => <ResultBadge result={result} /> },
]

function menuOf(entry: Entry, filter: (next: AuditFilters) => void) {
  const { sourceIp, userAgent } = entry
  const object = mainObject(entry)
  return [
    ...(object
      ? [
          {
            label: `Only ${nameOf(object)}`,
            onAction: () => filter({ kind: object.type, object: object.id }),
          },
        ]
      : []),
    ...menuOfDone(entry, filter),
    { label: 'Only from this address', onAction: () => filter({ address: sourceIp }) },
    ...(userAgent ? [{ label: 'Only this user agent', onAction: () => filter({ agent: userAgent }) }] : []),
  ]
}
