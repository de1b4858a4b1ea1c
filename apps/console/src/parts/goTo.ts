import { useQuery } from '@tanstack/react-query'
import type { Read } from '../api.ts'
import { usePaging } from './paging.ts'
import { useQuickActions } from './quickActions.ts'

/** Offers to go to every row of a list: to those of the page shown, and to those of the others. */
export function useGoTo<Row extends { name: string }>({
  group,
  page,
  all,
  hrefOf,
}: {
  /** 'Go to disk' */
  group: string
  /** The query of the page shown. */
  page: Read<{ items: Row[]; nextPage?: string | null | undefined }>
  /** Reads all pages; asked only if there is more than one. */
  all: Read<Row[]>
  hrefOf: (row: Row) => string
}): void {
  const { isFirst } = usePaging()
  const shown = useQuery({ ...page, throwOnError: false })
  const hasMore = !isFirst || Boolean(shown.data?.nextPage)
  const rest = useQuery({ ...all, throwOnError: false, enabled: hasMore })
  const rows = rest.data ?? shown.data?.items ?? []
  useQuickActions(rows.map((row) => ({ label: row.name, group, href: hrefOf(row) })))
}
