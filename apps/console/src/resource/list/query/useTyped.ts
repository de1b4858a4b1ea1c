import { columnsOf } from '@purlin/contract/rules/query/columns'
import { queryText, readQuery, splitFilters } from '@purlin/contract/rules/query/query'
import { useEffect, useRef, useState } from 'react'
import { usePaging } from '../paging.ts'

const pauseMs = 60

/** The text of the search box: the words and filters of the address, which it changes while a person types. */
export function useTyped(kind: string | undefined) {
  const { search, setQuery } = usePaging()
  const columns = columnsOf(kind ?? '')
  const shown = queryText(columns, {
    find: search.find ?? '',
    // A list without columns of filters leaves them alone.
    filters: columns.size > 0 ? splitFilters(search.filter ?? '') : [],
  })
  const [text, setText] = useState(shown)
  const input = useRef<HTMLInputElement>(null)
  const { troubles, ...query } = readQuery(columns, text)
  useEffect(() => {
    if (queryText(columns, query) === shown) return undefined
    const timer = setTimeout(() => setQuery(columns.size > 0 ? query : { find: query.find }), pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing searches
  }, [text])
  useEffect(() => {
    // While the user types, the text is newer than the address; otherwise it follows the address.
    if (document.activeElement !== input.current) setText(shown)
  }, [shown])
  return { text, setText, input, columns, troubles }
}
