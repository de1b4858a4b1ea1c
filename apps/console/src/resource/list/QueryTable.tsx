/** A table over one page of a list operation, with its pagination, empty state and failures. */
import { limits } from '@purlin/contract/rules/limits'
import { inSentence } from '#/lib/text.ts'
import { keepPreviousData, useQuery, type QueryFunction } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useRef, type ReactNode } from 'react'
import { failure } from '#/api/errors.ts'
import { throwsAt } from '#/api/query.ts'
import { Button } from '#/ui/button/Button.tsx'
import { FormErrorBanner } from '#/ui/form/FormErrorBanner.tsx'
import { BottomBar } from '#/ui/frame/BottomBar.tsx'
import { EmptyTable } from '#/ui/table/EmptyTable.tsx'
import { PAGE_SIZES, Pagination } from '#/ui/table/Pagination.tsx'
import { bare } from '#/ui/layout/path.ts'
import type { Column, Selection } from '#/ui/table/columns.ts'
import { Table } from '#/ui/table/Table.tsx'
import { ListSearch, useSearchOffered } from './ListSearch.tsx'
import { ListFilters } from './ListFilters.tsx'
import type { Found } from './listPage.ts'
import { NoneFound, positionOf } from './NoneFound.tsx'
import { pagingSearch, usePaging, type PagingSearch } from './paging.ts'

export interface PageOf<Row> extends Found {
  items: Row[]
}

export interface QueryTableProps<Row> {
  /** Accessible name. */
  label: string
  /** The query of the rows shown: build it with `listPage`. */
  query: { queryKey: readonly unknown[]; queryFn?: unknown }
  columns: readonly Column<Row>[]
  rowKey?: (row: Row) => string
  actions?: (row: Row) => ReactNode
  selection?: Selection<Row>
  /** Shown below the columns of a list without rows. */
  empty: ReactNode
  /** ms between automatic reads; false for none */
  refetchInterval?: number | false | ((page: PageOf<Row> | undefined) => number | false) | undefined
  /** The page has a bar that holds the search. */
  isSearchedAbove?: boolean
  /** The kind of the rows, which says what they are filtered by. */
  kind?: string | undefined
  /** The kind whose columns the search of the list knows. */
  queried?: string | undefined
  /** The orders of columns that the list has; any unless given. */
  orders?: ReadonlySet<string>
}

const byName = { column: 'name', descending: false }

/** Why a list is not ordered by its columns, if it is too long for that. */
function orderReason(page: Found | undefined): string | undefined {
  const most = limits.lists.ordered
  const isTooLong = page?.isUnordered === true || (page?.totalItems ?? 0) > most
  return isTooLong ? `Lists of more than ${most.toLocaleString()} rows are ordered by name only` : undefined
}

const idOf = (row: object): string => ('id' in row ? String(row.id) : '')

export function QueryTable<Row extends object>(props: QueryTableProps<Row>) {
  const { label, columns, rowKey = idOf, actions, selection, empty, refetchInterval } = props
  const paging = usePaging()
  const { find } = paging.search
  const moving = usePageOnItsWay(paging.search)
  const result = useQuery({
    queryKey: props.query.queryKey,
    queryFn: props.query.queryFn as QueryFunction<PageOf<Row>>,
    placeholderData: keepPreviousData,
    throwOnError: throwsAt(403, 404),
    refetchInterval: ({ state }) =>
      typeof refetchInterval === 'function' ? refetchInterval(state.data) : (refetchInterval ?? false),
  })
  const page = result.data
  const rows = page?.items ?? []
  // The last rows of the last page were deleted.
  const isPastEnd =
    page !== undefined && rows.length === 0 && !page.nextPage && !paging.isFirst && !result.isPlaceholderData
  const leaveEmptyPage = useEffectEvent(() => paging.previous(page?.previousPage, true))
  useEffect(() => {
    if (isPastEnd) leaveEmptyPage()
  }, [isPastEnd])
  const { isSearchable, isLong } = useSearchOffered(page)
  const isOnePage = page !== undefined && !page.nextPage && paging.isFirst && rows.length <= PAGE_SIZES[0]
  const top = useScrollToTop(rows[0] === undefined ? '' : rowKey(rows[0]), paging.isFirst)
  if (result.error && !page) return <Failed error={result.error} retry={() => void result.refetch()} />
  if (page && rows.length === 0 && paging.isFirst && !paging.isNarrowed && !result.isPlaceholderData)
    return <EmptyTable columns={columns}>{empty}</EmptyTable>
  return (
    <>
      <div ref={top} />
      {isSearchable && (
        <div className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2 empty:hidden">
          {!props.isSearchedAbove && <ListSearch label={inSentence(label)} kind={props.queried} />}
          {isLong && props.kind !== undefined && <ListFilters kind={props.kind} totals={page?.totals} />}
        </div>
      )}
      {page && rows.length === 0 && paging.isNarrowed && !page.nextPage ? (
        <NoneFound find={find} onClear={paging.clear} />
      ) : (
        <Table
          label={label}
          columns={columns}
          rows={rows}
          rowKey={rowKey}
          skeletonRows={page ? 0 : 8}
          busy={result.isPlaceholderData}
          sort={page?.isUnordered ? byName : paging.sort}
          onSort={paging.setSort}
          orders={props.orders}
          orderDisabledReason={orderReason(page)}
          marked={paging.search.marked}
          {...(actions ? { actions } : {})}
          {...(selection ? { selection } : {})}
        />
      )}
      {page && (!isOnePage || paging.isNarrowed) && (
        <BottomBar>
          <Pagination
            pageSize={paging.size}
            onPageSize={paging.setSize}
            hasPrevious={!paging.isFirst}
            hasNext={Boolean(page.nextPage) && !result.isPlaceholderData}
            onPrevious={() => paging.previous(page.previousPage)}
            onNext={() => page.nextPage && paging.next(page.nextPage, rows.length)}
            onNextLikely={() => page.nextPage && paging.prefetchNext(page.nextPage, rows.length)}
            loading={moving || result.isPlaceholderData}
            position={
              paging.isFirst || paging.at > 0
                ? positionOf({ at: paging.at, shown: rows.length, total: page.totalItems })
                : undefined
            }
          />
        </BottomBar>
      )}
    </>
  )
}

/**
 * True while another page of this list is being read: what is shown changes only when it has arrived. Compared with
 * what is shown, because a user may navigate again before the router marks the last navigation as resolved.
 */
const usePageOnItsWay = (shown: PagingSearch): boolean =>
  useRouterState({
    select: ({ location, matches }) => {
      const here = matches.at(-1)?.pathname
      return (
        here !== undefined &&
        bare(location.pathname) === bare(here) &&
        JSON.stringify(pagingSearch(location.search)) !== JSON.stringify(shown)
      )
    },
  })

/** Goes to the top when other rows have arrived, not when the button was pressed. */
function useScrollToTop(firstRow: string, isFirst: boolean) {
  const top = useRef<HTMLDivElement>(null)
  const shown = useRef(isFirst)
  useEffect(() => {
    if (!isFirst || !shown.current) top.current?.closest('[data-testid="scroll-container"]')?.scrollTo(0, 0)
    shown.current = isFirst
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only other rows make the page jump
  }, [firstRow])
  return top
}

function Failed({ error, retry }: { error: unknown; retry: () => void }) {
  return (
    <div className="flex flex-col items-start gap-3">
      <FormErrorBanner issues={[failure(error)]} />
      <Button onClick={retry}>Try again</Button>
    </div>
  )
}
