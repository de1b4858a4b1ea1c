import type { ListedType } from '@purlin/contract/operations/lists/list-views'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { Item, ListOp } from '#/api/everyPage.ts'
import type { Column } from '#/ui/table/columns.ts'
import type { Scope } from '../kind.ts'
import { exportOf, exportReason, useListOptions } from './ListOptions.tsx'
import { exportedAddress, listPage, type AsksFor } from './listPage.ts'
import { usePaging } from './paging.ts'
import type { PageOf } from './QueryTable.tsx'

interface ListOf<Row> extends AsksFor {
  type: ListedType
  columns: readonly Column<Row>[]
}

/** The page of a list that the address names, how it was read, and the options of the list. */
export function usePageOptions<L extends ListOp, Row extends Item<L> = Item<L>>(
  op: L,
  scope: Scope,
  { type, columns, ...asked }: ListOf<Row>,
) {
  const search = { ...usePaging().search, ...asked }
  const query = listPage(op, scope, search)
  const { data, ...shown } = useQuery({ ...query, throwOnError: false, placeholderData: keepPreviousData })
  const page: PageOf<Item<L>> | undefined = data
  const options = useListOptions<Row>({
    type,
    columns,
    // A server that counts no values does not export either.
    exported: page?.totals && exportOf(exportedAddress(op, scope, search)),
    disabledReason: exportReason(page),
  })
  return { search, query, page, shown, ...options }
}
