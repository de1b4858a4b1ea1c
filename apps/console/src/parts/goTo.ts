import { useQuery } from '@tanstack/react-query'
import { useSyncExternalStore } from 'react'
import type { Read } from '../api.ts'
import { usePaging } from './paging.ts'
import { useQuickActions } from './quickActions.ts'
import { paletteStore } from './shell/palette.ts'

interface Page<Row> {
  items: Row[]
  nextPage?: string | null | undefined
}

/** Offers to go to the rows of a list: to those of the page shown, and to the first of the others by name. */
export function useGoTo<Row extends { name: string }>({
  group,
  page,
  others,
  hrefOf,
}: {
  /** 'Go to disk' */
  group: string
  /** The query of the page shown. */
  page: Read<Page<Row>>
  /** Reads as many rows as one answer holds; asked when somebody looks for one, if there are more than are shown. */
  others: Read<Page<Row>>
  hrefOf: (row: Row) => string
}): void {
  const { isFirst, search } = usePaging()
  const isLooking = useSyncExternalStore(paletteStore.subscribe, paletteStore.get)
  const shown = useQuery({ ...page, throwOnError: false })
  const hasMore = !isFirst || search.find !== undefined || Boolean(shown.data?.nextPage)
  const more = useQuery({ ...others, throwOnError: false, enabled: hasMore && isLooking })
  const rows = [...(shown.data?.items ?? []), ...(hasMore ? (more.data?.items ?? []) : [])]
  const names = new Map(rows.map((row) => [hrefOf(row), row.name]))
  useQuickActions([...names].map(([href, label]) => ({ label, group, href })))
}
