import { columnsOf } from '@purlin/contract/rules/query/columns'
import { queryText, readQuery, splitFilters, type Query } from '@purlin/contract/rules/query/query'
import { useEffect, useRef, useState } from 'react'
import { usePaging } from '../paging.ts'

const pauseMs = 60

/** Where the query of a list is kept. */
export interface QueryPlace {
  query: Query
  setQuery: (query: Query) => void
  /** False for a list that has filters only. */
  hasWords: boolean
}

/** The query in the address of the current route's list. */
export function usePagedQuery(kind: string | undefined): QueryPlace {
  const { search, setQuery } = usePaging()
  const hasColumns = columnsOf(kind ?? '').size > 0
  return {
    query: {
      find: search.find ?? '',
      // A list without columns of filters leaves them alone.
      filters: hasColumns ? splitFilters(search.filter ?? '') : [],
    },
    setQuery: (query) => setQuery(hasColumns ? query : { find: query.find }),
    hasWords: true,
  }
}

/** The text of the search box: the words and filters of a query, which it changes while a person types. */
export function useTyped(kind: string | undefined, place: QueryPlace) {
  const columns = columnsOf(kind ?? '')
  const shown = queryText(columns, place.query)
  const [text, setText] = useState(shown)
  const input = useRef<HTMLInputElement>(null)
  const { troubles, ...query } = readQuery(columns, text, place)
  useEffect(() => {
    if (queryText(columns, query) === shown) return undefined
    const timer = setTimeout(() => place.setQuery(query), pauseMs)
    return () => clearTimeout(timer)
    // oxlint-disable-next-line react-hooks/exhaustive-deps -- only typing searches
  }, [text])
  useEffect(() => {
    // While the user types, the text is newer than the address; otherwise it follows the address.
    if (document.activeElement !== input.current) setText(shown)
  }, [shown])
  return { text, setText, input, columns, troubles }
}
