/** The activity of a resource on a page about nothing else: page by page, with filters. */
import { resourceActivity } from '@purlin/contract/operations/audit/audit-log'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import { QueryTable } from '#/resource/list/QueryTable.tsx'
import { RowMenu } from '#/ui/overlay/RowMenu.tsx'
import { columnsOfActivity } from './Activity.tsx'
import { actorNameIn, menuOfDone, type Done } from './entries.tsx'
import { FilterBar } from './FilterBar.tsx'
import { activityQueryOf, given, isFiltered } from './filters.ts'
import { NoEntries } from './NoEntries.tsx'
import { auditSearch, type AuditFilters, type AuditSearch } from './search.ts'

/** The page that an address gives, of the activity of a resource such as `disk:ID`. */
export const activityPage = (resource: string, search: AuditSearch) =>
  query(resourceActivity, { query: { resource, ...activityQueryOf(search) } })

/** `hasObjects` for a resource that contains others. */
export function ActivityExplorer({
  resource,
  hasObjects = false,
}: {
  resource: string
  hasObjects?: boolean
}) {
  const navigate = useNavigate()
  const search = auditSearch(useSearch({ strict: false }))
  const page = activityPage(resource, search)
  const { data } = useQuery({ ...page, throwOnError: false, placeholderData: keepPreviousData })
  const { size } = search
  // Another filter begins with its first page.
  const filter = (next: AuditFilters) =>
    void navigate({
      to: '.',
      search: given({ ...(size === undefined ? {} : { size }), ...next }),
      resetScroll: false,
    })
  const { operation, actor, kind, result } = search
  const filters = { operation, actor, kind, result }
  return (
    <>
      <FilterBar
        level="resource"
        filters={filters}
        hasKinds={hasObjects}
        actorName={actorNameIn(data?.items, actor)}
        onChange={filter}
      />
      <QueryTable<Done>
        label="Activity"
        query={page}
        isSearchedAbove
        columns={columnsOfActivity(hasObjects)}
        actions={(one) => <RowMenu items={menuOfDone(one, (next) => filter({ ...filters, ...next }))} />}
        empty={
          <NoEntries
            more={data?.nextPage}
            body={
              isFiltered(filters)
                ? 'No activity matches the filters.'
                : 'Nothing was done since the audit log began.'
            }
          />
        }
      />
    </>
  )
}
