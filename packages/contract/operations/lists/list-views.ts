/** Of our own: how a person looks at lists, kept under names. */
import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, object, ref, string, unlimited, type Out } from '#/schema.ts'

const { count, name, search, columns, column } = limits.listViews
const view = ref('ListView', object({
  /** Unique among the views of a kind. */
  name: string({ maxLength: name }),
  /** The query of a list's address: search, filters and order. */
  search: string({ maxLength: search }),
  /** Columns that are not shown, by the names that the client has for them. */
  hiddenColumns: array(string({ maxLength: column }), { count: columns, noun: 'columns' }),
}))
const listed = { views: array(view, { count, noun: 'views' }) }
const Views = ref('ListViews', object(listed))

/** A kind as in messages: `floating-ip`. Access tokens and entries of the audit log are of none, but listed as well. */
const kind = enumOf([
  ...Object.values(kinds).map(({ type }) => type),
  'device-access-token',
  'audit-log-entry',
])
/** The type of what a list that has views lists. */
export type ListedType = Out<typeof kind>

const shared = { tag: 'session', allow: 'user', ok: 200 } as const
const ofKind = { ...shared, path: '/v1/me/list-views', response: Views, query: object({ kind }) } as const

export const currentUserListViewsView = op({
  ...ofKind, method: 'GET', summary: 'Show the own views of lists of a kind',
})
export const currentUserListViewsUpdate = op({
  ...ofKind, method: 'PUT', summary: 'Replace the own views of lists of a kind', body: Views,
})
export const currentUserListViewsOfAllKinds = op({
  ...shared, method: 'GET', path: '/v1/me/list-views/all', summary: 'Show the own views of all lists',
  response: ref('ListViewsOfAllKinds', object({ kinds: array(object({ kind, ...listed }), unlimited) })),
})
