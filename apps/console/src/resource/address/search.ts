/** The search over everything, as the palette asks it. */
import { search } from '@purlin/contract/operations/lists/search'
import type { Result } from '@purlin/contract/op'
import { nounOf, pluralOf } from '@purlin/contract/rules/kinds'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useQuery } from '@tanstack/react-query'
import { query, type Read } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import { addressOf } from './pageOf.ts'
import { useDebounced } from '../list/useDebounced.ts'

type Found = Result<typeof search>['items'][number]

export interface FoundItem {
  id: string
  label: string
  /** Its parents, and the matching text if it is not the name. */
  detail: string
  /** 'Instances' */
  group: string
  href: string
}

const limit = 30

// Another server of the contract has no search: it is tried once.
let isMissing = false
export const isSearchMissing = (): boolean => isMissing

function searchQuery(q: string): Read<Result<typeof search>> {
  const { queryKey, queryFn } = query(search, { query: { q, limit } })
  const orMissing = (error: unknown): never => {
    if (error instanceof ApiError && error.status === 404) isMissing = true
    throw error
  }
  return { queryKey, queryFn: (context) => queryFn(context).catch(orMissing) }
}

/** The results for a text, while the user types. */
export function useFound(text: string): { items: readonly FoundItem[]; isSearching: boolean } {
  const trimmed = text.trim()
  const debounced = useDebounced(text)
  const isOperator = useQuery(query(currentUserView, { query: {} })).data?.fleetViewer === true
  const found = useQuery({
    ...searchQuery(debounced),
    enabled: debounced !== '' && !isMissing,
    throwOnError: false,
    placeholderData: (before) => before,
  })
  const items = debounced === '' || isMissing ? [] : (found.data?.items ?? [])
  return {
    // Pools have pages for operators only.
    items: items.filter(({ type }) => type !== 'ip-pool' || isOperator).flatMap(itemsOf),
    isSearching: !isMissing && trimmed !== '' && (trimmed !== debounced || found.isFetching),
  }
}

function itemsOf(found: Found): FoundItem[] {
  const href = addressOf(found)
  if (href === undefined) return []
  const { type, id, name, parents, field, text } = found
  const where = parents.map((parent) => parent.name).join(' / ')
  const what = field === 'name' || field === 'id' ? '' : text
  return [
    {
      id,
      label: name,
      detail: [where, what].filter(Boolean).join(' · '),
      group: capitalize(pluralOf(nounOf(type))),
      href,
    },
  ]
}
