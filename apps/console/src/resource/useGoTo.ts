import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { ListOp } from '#/api/everyPage.ts'
import { hrefOf, lookUpQuery, type Kind, type Scope } from './kinds.ts'
import type { PageOf } from './QueryTable.tsx'
import { paletteStore } from './palette.ts'
import { usePaging } from './paging.ts'
import { useQuickActions } from './quickActions.ts'

interface Named {
  name: string
}

/** Lets the palette go to the rows of a list: to those of the page shown, and to the first of the others by name. */
export function useGoTo<L extends ListOp>({
  kind,
  scope,
  shown,
}: {
  kind: Kind<L>
  scope: Scope
  shown: PageOf<Named> | undefined
}): void {
  const { isFirst, search } = usePaging()
  const isOpen = useSyncExternalStore(paletteStore.subscribe, paletteStore.get)
  const hasMore = !isFirst || search.find !== undefined || Boolean(shown?.nextPage)
  // As many as one response holds; requested when the palette opens, if there are more than are shown.
  const more = useQuery({ ...lookUpQuery(kind, scope), throwOnError: false, enabled: hasMore && isOpen })
  const rows = [...(shown?.items ?? []), ...(hasMore ? ((more.data?.items ?? []) as Named[]) : [])]
  const names = new Map(rows.map(({ name }) => [hrefOf(kind, name, scope), name]))
  useQuickActions([...names].map(([href, label]) => ({ label, group: `Go to ${kind.noun}`, href })))
}
