import { useQuery } from '@tanstack/react-query'
import { useStore } from '#/lib/store.ts'
import { lookUpQuery, referenceOf, type Kind, type Scope, type KindList } from '../kind.ts'
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
  kind: Kind<L>
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
  // A row without a form is marked in its list, by its id.
  const idOf = ({ id }: Item<L>) => (kind.section.forms.includes('edit') ? {} : { id })
  const hrefOf = (row: Item<L>) =>
    pageOf(kind.name, { ...scopeOf(row), name: referenceOf(kind, row), ...idOf(row) })
  const labels = new Map(rows.map((row) => [hrefOf(row), kind.labelOf(row)]))
  useQuickActions([...labels].map(([href, label]) => ({ label, group: `Go to ${kind.noun}`, href })))
}
