/** The search over everything, as the palette asks it. */
import { search } from '@purlin/contract/operations/lists/search'
import type { Result } from '@purlin/contract/op'
import {
  kinds as contractKinds,
  kindOfType,
  nounOf,
  pluralOf,
  type KindName,
} from '@purlin/contract/rules/kinds'
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { useQuery } from '@tanstack/react-query'
import { query, type Read } from '#/api/query.ts'
import { ApiError } from '#/api/send.ts'
import { capitalize } from '#/lib/text.ts'
import type { Scope } from '#/lib/addresses.ts'
import type { TypedName } from '../acts/acts.ts'
import { addressOf, scopeIn } from './pageOf.ts'

type Found = Result<typeof search>['items'][number]

export interface FoundItem {
  id: string
  label: string
  /** Its parents, and the matching text if it is not the name. */
  detail: string
  /** 'Instances' */
  group: string
  href: string
  kind: KindName
  name: string
  /** The names of its parents. */
  scope: Scope
}

const limit = 30
// A resource that is typed before another one is searched for once.
const typedBefore = 60_000

// Another server of the contract has no search: it is tried once.
let isMissing = false
export const isSearchMissing = (): boolean => isMissing

function searchQuery({ text, kind }: TypedName): Read<Result<typeof search>> {
  const kinds = kind === undefined ? {} : { kind: [contractKinds[kind].type] }
  const { queryKey, queryFn } = query(search, { query: { q: text, limit, ...kinds } })
  const orMissing = (error: unknown): never => {
    if (error instanceof ApiError && error.status === 404) isMissing = true
    throw error
  }
  return { queryKey, queryFn: (context) => queryFn(context).catch(orMissing) }
}

/** The results for a text, and possibly a kind. `isBefore` if something else is typed now. */
export function useFound(
  name: TypedName,
  isBefore = false,
): { items: readonly FoundItem[]; isSearching: boolean; isOld: boolean } {
  const isOperator = useQuery(query(currentUserView, { query: {} })).data?.fleetViewer === true
  const isAsked = name.text !== '' && !isMissing
  const found = useQuery({
    ...searchQuery(name),
    ...(isBefore ? { staleTime: typedBefore } : {}),
    enabled: isAsked,
    throwOnError: false,
    placeholderData: (before) => before,
  })
  const items = isAsked ? (found.data?.items ?? []) : []
  return {
    // Pools have pages for operators only.
    items: items.filter(({ type }) => type !== 'ip-pool' || isOperator).flatMap(itemsOf),
    isSearching: isAsked && found.isFetching,
    isOld: found.isPlaceholderData,
  }
}

function itemsOf(found: Found): FoundItem[] {
  const href = addressOf(found)
  const kind = kindOfType(found.type)
  if (href === undefined || kind === undefined) return []
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
      kind,
      name,
      scope: scopeIn(parents),
    },
  ]
}
