/** Of our own: how a person looks at lists, kept under names. */
import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { array, enumOf, object, ref, string, unlimited, type Out } from '#/schema.ts'

const { count, name, search, columns, column } = limits.listViews
const view = ref('ListView', object({
  name: string({ maxLength: name }),
  search: string({ maxLength: search }),
  hiddenColumns: array(string({ maxLength: column }), { count: columns, noun: 'columns' }),
}))
const listed = { views: array(view, { count, noun: 'views' }) }
const Views = ref('ListViews', object(listed))

/** A kind as in messages: `floating-ip`. Access tokens, entries of the audit log and tasks are of none, but listed as well. */
const kind = enumOf([
  ...Object.values(kinds).map(({ type }) => type),
  'device-access-token',
  'audit-log-entry',
  'task',
])
/** The type of what a list that has views lists. */
export type ListedType = Out<typeof kind>

const shared = { tag: 'session', allow: 'user', ok: 200 } as const
const ofKind = { ...shared, path: '/v1/me/list-views', response: Views, query: object({ kind }) } as const

export const currentUserListViewsView = op({
  ...ofKind, method: 'GET',
})
export const currentUserListViewsUpdate = op({
  ...ofKind, method: 'PUT', body: Views,
})
export const currentUserListViewsOfAllKinds = op({
  ...shared, method: 'GET', path: '/v1/me/list-views/all',
  response: ref('ListViewsOfAllKinds', object({ kinds: array(object({ kind, ...listed }), unlimited) })),
})
