import { useEffect, useEffectEvent } from 'react'
import { load } from '#/api/query.ts'
import type { ListOp } from '#/api/everyPage.ts'
import type { Scope } from '../kind.ts'
import { listPage, type AsksFor } from './listPage.ts'
import { usePaging } from './paging.ts'

interface Page {
  items: readonly { id: string }[]
  nextPage?: string | null | undefined
}

/** Pages that are looked through for a marked row. */
const most = 40

/** Shows the page that has the row which the address marks, if it is not on the page that the address leads to. */
export function useMarkedPage<L extends ListOp<{ id: string }>>(
  op: L,
  scope: Scope,
  { shown, ...more }: AsksFor & { shown: Page | undefined },
): void {
  const { search, skipTo } = usePaging()
  const { marked, find, page } = search
  const next = shown?.nextPage
  const isLater =
    marked !== undefined && find === undefined && page === undefined && next && !has(shown, marked)
  const look = useEffectEvent(async (isStale: () => boolean) => {
    const tokens: string[] = []
    for (let token = next; token && tokens.length < most;) {
      tokens.push(token)
      const found = await load(listPage(op, scope, { ...search, ...more, page: token }))
      if (isStale()) return
      if (has(found, marked)) return skipTo(tokens)
      token = found.nextPage
    }
  })
  useEffect(() => {
    if (!isLater) return undefined
    let isStale = false
    // A page that cannot be read leaves the list as it is.
    look(() => isStale).catch(() => undefined)
    return () => {
      isStale = true
    }
  }, [isLater, marked])
}

const has = ({ items }: Page, marked: string | undefined): boolean => items.some(({ id }) => id === marked)
