import Search from 'lucide-react/icons/search'
import { useEffect, useRef, useState } from 'react'
import { keyText, usePageKey } from './pageKeys.ts'
import { usePaging } from './paging.ts'

const pauseMs = 60
/** Lists with at most this many rows need no search. */
export const few = 10

/** Whether a list is long enough to be searched. Once it was, it stays true until the page is left. */
export function useSearchOffered(
  page: { items: unknown[]; nextPage?: string | null | undefined } | undefined,
) {
  const { isFirst, isNarrowed } = usePaging()
  const isLong = isNarrowed || !isFirst || Boolean(page?.nextPage) || (page?.items.length ?? 0) > few
  const [wasLong, setWasLong] = useState(isLong)
  if (isLong && !wasLong) setWasLong(true)
  return isLong || wasLong
}

/** Searches the rows of the current route's list while the user types. A key goes there. */
export function ListSearch({ label }: { label: string }) {
  const { search, setFind } = usePaging()
  const find = search.find ?? ''
  const [text, setText] = useState(find)
  const input = useRef<HTMLInputElement>(null)
  const name = `Search ${label}`
  useEffect(() => {
    if (text.trim() === find) return undefined
    const timer = setTimeout(() => setFind(text.trim()), pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing searches
  }, [text])
  useEffect(() => {
    // While the user types, the text is newer than the address; otherwise it follows the address.
    if (document.activeElement !== input.current) setText(find)
  }, [find])
  usePageKey('search', () => input.current?.focus())
  return (
    <search className="relative max-w-64 grow basis-44">
      <Search size={14} aria-hidden className="absolute top-1/2 left-2.5 -translate-y-1/2 text-tertiary" />
      <input
        ref={input}
        type="search"
        aria-label={name}
        placeholder={name}
        aria-keyshortcuts={keyText('search')}
        value={text}
        spellCheck={false}
        autoComplete="off"
        onChange={(event) => setText(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape') setText('')
        }}
        className="control-box h-control pr-2.5 pl-8"
      />
    </search>
  )
}
