/** The options of a list in a form: the server searches for the typed text, and no list is read in full. */
import { limits } from '@purlin/contract/rules/limits'
import { pluralOf } from '@purlin/contract/rules/kinds'
import { isUuid } from '@purlin/contract/rules/names'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { errorMessage } from '#/api/errors.ts'
import type { Item } from '#/api/everyPage.ts'
import type { Read } from '#/api/query.ts'
import { matchesLoosely } from '#/lib/text.ts'
import type { Choice } from '#/ui/field/choices.tsx'
import {
  type Kind,
  type Named,
  type NamedList,
  type RowOp,
  type Scope,
  type ViewedKind,
  viewQuery,
} from '../kind.ts'
import { type Found, offeredPage } from '../list/listPage.ts'
import { useDebounced } from '../list/useDebounced.ts'

/** The source of the options: a kind with a list. */
export type PickedKind<L extends NamedList = NamedList> = ViewedKind<RowOp<Named>> & Pick<Kind<L>, 'list'>

export interface Picked<R> {
  /** The parents of the list. */
  scope: Scope
  /** Further query fields of the list; `fits` is the same for a server that does not know them. */
  asksFor?: object
  /** The field of the form: what it holds of the row. */
  value: string
  by: 'id' | 'name'
  /** Which rows can be chosen, as the list filters them; `fits` is the same for a server that does not. */
  filter?: readonly string[]
  fits?: (row: R) => boolean
  /** Names or ids of rows that are not offered; there are few. */
  except?: readonly string[]
  /** A text that an option shows in addition to the name. */
  choice?: (row: R) => Omit<Choice, 'value' | 'label'>
  /** The field takes texts that are no row. */
  isFree?: boolean
  /** Nothing is read as long as this is false. */
  enabled?: boolean
}

const offered = 50

/** The filter of a list by states. */
export const inStates = <S extends string>(states: readonly S[], can: (state: S) => boolean): string[] =>
  states.filter(can).map((state) => `state:${state}`)

/** The rows that can be chosen now, and what the field of the form needs to show them. */
export function usePicker<L extends NamedList>(of: PickedKind<L>, picked: Picked<Item<L>>) {
  const { value, by, fits, except = [], choice, enabled = true } = picked
  const [text, setText] = useState('')
  const find = useDebounced(text)
  const first = usePage(of, picked, { find: '' })
  // Options that are loaded already are filtered here.
  const isWhole = first.data !== undefined && !first.data.nextPage
  const isAsked = find !== '' && !isWhole
  const found = usePage(of, { ...picked, enabled: enabled && isAsked }, { find, before: first.data })
  const page = isAsked ? found : first
  const isWaiting = !isWhole && (page.isPlaceholderData || text.trim() !== find)
  const valueOf = (row: Item<L>) => row[by]
  const isOffered = (row: Item<L>) =>
    ![row.id, row.name].some((one) => except.includes(one)) &&
    (fits?.(row) ?? true) &&
    // Also until the answer is there.
    (!(isWhole || isWaiting) || matchesLoosely(row.name, text))
  const listed = page.data?.items ?? []
  const rows = listed.filter(isOffered)
  const chosen = useChosen(of, picked, { listed, isSettled: !page.isFetching })
  const choiceOf = (row: Item<L>): Choice => ({
    value: valueOf(row),
    label: row.name,
    ...choice?.(row),
  })
  return {
    rows,
    /** The row that is chosen, as soon as it is known. */
    chosen: value === '' ? undefined : chosen,
    /** Whether there is something to choose; undefined until that is known. */
    isEmpty: page.data && text === '' ? rows.length === 0 : undefined,
    /** The number of matching rows. */
    total: page.data?.totalItems,
    /** The number of rows for each value, before the filter. */
    totals: page.data?.totals,
    isPending: page.isLoading,
    problem: page.error ? `Could not load the ${pluralOf(of.noun)}: ${errorMessage(page.error)}` : undefined,
    retry: () => void page.refetch(),
    field: {
      items: rows.map(choiceOf),
      chosen: chosen && choiceOf(chosen),
      loading: enabled && (isWaiting || page.isLoading),
      onSearch: setText,
      more: isWhole ? undefined : moreWords(page.data, listed.length),
    },
  }
}

export type PickerField = ReturnType<typeof usePicker>['field']

/** One field that offers the rows of two lists. */
export const together = (first: PickerField, second: PickerField): PickerField => ({
  items: [...first.items, ...second.items],
  chosen: first.chosen ?? second.chosen,
  loading: first.loading || second.loading,
  onSearch: (text) => {
    first.onSearch(text)
    second.onSearch(text)
  },
  more: first.more ?? second.more,
})

type Page<R> = Found & { items: R[] }

/** For loaders: what a picker shows first. */
export const pickerQuery = <L extends NamedList>(
  of: PickedKind<L>,
  { scope, filter, fits }: Pick<Picked<Item<L>>, 'scope' | 'filter' | 'fits'>,
) => offeredPage(of.list, scope, { find: '', filter, fits, limit: offered })

/** The page of the list with what is typed; what was there before it until it comes. */
function usePage<L extends NamedList>(
  of: PickedKind<L>,
  { scope, asksFor, filter, fits, except = [], enabled = true }: Picked<Item<L>>,
  { find, before }: { find: string; before?: Page<Item<L>> | undefined },
) {
  const limit = Math.min(offered + except.length, limits.page.max)
  const within = JSON.stringify([scope, asksFor, filter])
  const read: Read<Page<Item<L>>> = offeredPage(
    of.list,
    { ...scope, ...asksFor },
    { find, filter, fits, limit },
  )
  return useQuery({
    ...read,
    enabled,
    throwOnError: false,
    meta: { within },
    placeholderData: (last, query) => (query?.meta?.['within'] === within ? last : undefined) ?? before,
  })
}

/** The chosen row: of the list or, if it is not on the page, read by itself. */
function useChosen<L extends NamedList>(
  of: PickedKind<L>,
  { value, by, scope, isFree = false, enabled = true }: Picked<Item<L>>,
  { listed, isSettled }: { listed: readonly Item<L>[]; isSettled: boolean },
): Item<L> | undefined {
  const [kept, setKept] = useState<Item<L>>()
  const isChosen = (row: Item<L>) => row[by] === value
  const found = listed.find(isChosen) ?? (kept && isChosen(kept) ? kept : undefined)
  if (found !== undefined && found !== kept) setKept(found)
  const viewed = useQuery({
    ...viewQuery(of, value, isUuid(value) ? {} : scope),
    enabled: enabled && !isFree && value !== '' && isSettled && found === undefined,
    throwOnError: false,
  }).data
  return found ?? viewed
}

function moreWords(page: Found | undefined, shown: number): string | undefined {
  const left = page?.totalItems === undefined ? undefined : page.totalItems - shown
  if (left === undefined)
    return page?.nextPage ? 'There are more: keep typing to narrow them down' : undefined
  return left > 0 ? `${left} more: keep typing to narrow them down` : undefined
}
