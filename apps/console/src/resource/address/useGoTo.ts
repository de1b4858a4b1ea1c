import { useQuery } from '@tanstack/react-query'
import { useStore } from '#/lib/store.ts'
import { lookUpQuery, type ListedKind, type Scope, type KindList } from '../kind.ts'
import type { PageOf } from '../list/QueryTable.tsx'
import { pageOf } from './pageOf.ts'
import { paletteStore } from './palette.ts'
import { usePaging } from '../list/paging.ts'
import { useQuickActions } from '../actions/quickActions.ts'
import { isSearchMissing } from './search.ts'
import type { Item } from '#/api/everyPage.ts'

/** Lets the palette go to the rows of a list that are shown. */
export function useGoTo<L extends KindList>({
  kind,
  scope,
  shown,
  scopeOf = () => scope,
}: {
  kind: ListedKind<L>
  scope: Scope
  shown: PageOf<Item<L>> | undefined
  /** The parents of a row, if they differ between rows. */
  scopeOf?: (row: Item<L>) => Scope
}): void {
  const { isFirst, search } = usePaging()
  const isOpen = useStore(paletteStore)
  const hasMore =
    !isFirst || search.find !== undefined || search.filter !== undefined || Boolean(shown?.nextPage)
  // The palette searches on the server. Of one that cannot, as many as one response holds.
  const more = useQuery({
    ...lookUpQuery(kind, scope),
    throwOnError: false,
    enabled: hasMore && isOpen && isSearchMissing(),
  })
  const rows = [...(shown?.items ?? []), ...(hasMore ? (more.data?.items ?? []) : [])]
  const names = new Map(rows.map((row) => [pageOf(kind.name, { ...scopeOf(row), name: row.name }), row.name]))
  useQuickActions([...names].map(([href, label]) => ({ label, group: `Go to ${kind.noun}`, href })))
}
