/** The activity of a resource on a page about nothing else: page by page, with filters. */
import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { serverNow } from '#/lib/clock.ts'
import { paths } from '#/lib/addresses.ts'
import { useRole } from '#/resource/role/useRole.ts'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { columnsOfActivity } from './Activity.tsx'
import { actorNameIn, menuOfDone, type Done } from './entries.tsx'
import { FilterBar } from './FilterBar.tsx'
import {
  activityFilters,
  activityQueryOf,
  given,
  hrefOf,
  isFiltered,
  opening,
  spanOf,
  textOf,
} from './filters.ts'
import { LogWords } from './LogWords.tsx'
import { NoEntries } from './NoEntries.tsx'
import { OpenedEntry } from './OpenedEntry.tsx'
import { activitySearch, type AuditFilters, type AuditSearch } from './search.ts'

/** The page that an address gives, of the activity of a resource such as `disk:ID`. */
export const activityPage = (resource: string, search: AuditSearch) =>
  query(resourceActivity, { query: { resource, ...activityQueryOf(search, serverNow()) } })

/** `hasObjects` for a resource that contains others. */
export function ActivityExplorer({
  resource,
  hasObjects = false,
}: {
  resource: string
  hasObjects?: boolean
}) {
  const navigate = useNavigate()
  const search = activitySearch(useSearch({ strict: false }))
  const page = activityPage(resource, search)
  const { data } = useQuery({ ...page, throwOnError: false, placeholderData: keepPreviousData })
  const lacks = useRole().lacks('admin')
  const { size } = search
  const go = (next: AuditSearch) => void navigate({ to: '.', search: given(next), resetScroll: false })
  // Another filter begins with its first page.
  const filter = (next: AuditFilters) => go({ ...(size === undefined ? {} : { size }), ...next })
  const filters = activityFilters(search)
  const isAll = spanOf(search, 'resource') === 'all' && !isFiltered(filters)
  return (
    <>
      <LogWords label="activity" level="resource" filters={filters} onChange={filter} />
      <FilterBar
        level="resource"
        filters={filters}
        hasKinds={hasObjects}
        actorName={actorNameIn(data?.items, filters.actor)}
        onChange={filter}
      />
      <OpenedEntry
        search={search}
        items={data?.items}
        read={(other) => activityPage(resource, other)}
        inFull={(done) => (lacks ? undefined : `${paths.siloAuditLog}?${textOf(opening(done))}`)}
        onDismiss={() => go({ ...search, entry: undefined, time: undefined })}
      />
      <QueryTable<Done>
        label="Activity"
        query={page}
        isSearchedAbove
        columns={columnsOfActivity(hasObjects, (done) => hrefOf({ ...search, ...opening(done) }))}
        actions={(one) => <RowMenu items={menuOfDone(one, (next) => filter({ ...filters, ...next }))} />}
        empty={
          <NoEntries
            more={data?.nextPage}
            body={isAll ? 'Nothing was done since the audit log began.' : 'No activity matches the filters.'}
          />
        }
      />
    </>
  )
}
