/** The lists that a typed query restricts, as places that the palette leads to. */
import { currentUserView } from '@purlin/contract/operations/access/sessions'
import { kinds as contractKinds } from '@purlin/contract/rules/kinds'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { joinFilters, queryText, readQuery } from '@purlin/contract/rules/query/query'
import { filteredKindOf } from '@purlin/contract/schemas/page'
import { useQuery } from '@tanstack/react-query'
import { useRouterState } from '@tanstack/react-router'
import { query } from '#/api/query.ts'
import type { Scope } from '#/lib/addresses.ts'
import { kinds } from '#/resource/kinds.ts'
import { usePath } from '#/ui/layout/path.ts'
import { listOf, type From } from '../views/ViewPlaces.tsx'

interface Place {
  id: string
  label: string
  group: string
  href: string
}

/** The nearest list of each kind that has all columns of the query. Empty for words alone. */
export function queryPlaces(text: string, from: From): Place[] {
  return Object.values(kinds).flatMap((kind) => {
    const queried = filteredKindOf(kind.list)
    if (queried === undefined) return []
    const columns = columnsOf(queried)
    const { find, filters, troubles } = readQuery(columns, text)
    const list = listOf(contractKinds[kind.name].type, from)
    if (filters.length === 0 || troubles.length > 0 || !list) return []
    const search = new URLSearchParams({ ...(find === '' ? {} : { find }), filter: joinFilters(filters) })
    const label = `${list.title}: ${queryText(columns, { find, filters })}`
    return [{ id: `query ${kind.name}`, label, group: 'Lists', href: `${list.href}?${search.toString()}` }]
  })
}

/** The kinds whose columns lists of no kind have. */
const otherLists = { 'audit-log-entry': 'auditLog', task: 'task' } as const

/** The audit log or the tasks, if they have all columns of the query. The server finds no words in them. */
export function otherPlaces(type: keyof typeof otherLists, text: string, from: From): Place[] {
  const columns = columnsOf(otherLists[type])
  const { find, filters, troubles } = readQuery(columns, text, { hasWords: false })
  const list = listOf(type, from)
  if (filters.length === 0 || troubles.length > 0 || !list) return []
  const search = new URLSearchParams({ filter: joinFilters(filters) })
  const label = `${list.title}: ${queryText(columns, { find, filters })}`
  return [{ id: `query ${type}`, label, group: 'Lists', href: `${list.href}?${search.toString()}` }]
}

/** These places for what is typed here. */
export function useQueryPlaces(text: string): Place[] {
  const path = usePath()
  const params: Scope = useRouterState({ select: (state) => state.matches.at(-1)?.params ?? {} })
  const { data: user } = useQuery(query(currentUserView, { query: {} }))
  const from = { path, params, isOperator: user?.fleetViewer === true }
  return [
    ...queryPlaces(text, from),
    ...(user?.siloAdmin ? otherPlaces('audit-log-entry', text, from) : []),
    ...otherPlaces('task', text, from),
  ]
}
