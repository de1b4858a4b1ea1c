import type { ListedType } from '@purlin/contract/operations/list-views'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Item, ListOp } from '#/api/everyPage.ts'
import type { Column } from '#/ui/table/columns.ts'
import type { Scope } from './kinds.ts'
import { exportOf, exportReason, useListOptions } from './ListOptions.tsx'
import { exportedAddress, listPage, type Found } from './listPage.ts'
import { usePaging } from './paging.ts'

/** The page of a list that the address names, and the options of the list. */
export function usePageOptions<L extends ListOp>(
  op: L,
  scope: Scope,
  list: { type: ListedType; columns: readonly Column<Item<L>>[] },
) {
  const { search } = usePaging()
  const query = listPage(op, scope, search)
  const { data } = useQuery({ ...query, throwOnError: false, placeholderData: keepPreviousData })
  const page = data as (Found & { items: readonly unknown[] }) | undefined
  const options = useListOptions<Item<L>>({
    ...list,
    // A server that does not count knows no such files either.
    exported: page?.totals && exportOf(exportedAddress(op, scope, search)),
    disabledReason: exportReason(page),
  })
  return { query, ...options }
}
