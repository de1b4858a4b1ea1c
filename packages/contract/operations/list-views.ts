/** Of our own: how a person looks at lists, kept under names. */
import { op } from '../op.ts'
import { kinds } from '../rules/kinds.ts'
import { limits } from '../rules/limits.ts'
import { array, enumOf, object, ref, string } from '../schema.ts'

const { count, name, search, columns, column } = limits.listViews
const Views = ref('ListViews', object({
  views: array(
    ref('ListView', object({
      /** Unique among the views of a kind. */
      name: string({ maxLength: name }),
      /** What the address of a list says: what is searched, filtered and in which order. */
      search: string({ maxLength: search }),
      /** Columns that are not shown, by the names that the client has for them. */
      hiddenColumns: array(string({ maxLength: column }), { count: columns, noun: 'columns' }),
    })),
    { count, noun: 'views' },
  ),
}))
const views = {
  tag: 'session', allow: 'user', path: '/v1/me/list-views', ok: 200, response: Views,
  /** A kind as in messages: `floating-ip`. */
  query: object({ kind: enumOf(Object.values(kinds).map(({ type }) => type)) }),
} as const

export const currentUserListViewsView = op({
  ...views, method: 'GET', summary: 'Show the own views of lists of a kind',
})
export const currentUserListViewsUpdate = op({
  ...views, method: 'PUT', summary: 'Replace the own views of lists of a kind', body: Views,
})
