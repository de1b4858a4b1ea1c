/** Our own operation: finds the resources that a user may see, by words, ids and addresses. */
import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { namedKinds, searchedKinds, serialKinds } from '#/rules/lists.ts'
import { array, enumOf, integer, object, optional, ref, string, unlimited } from '#/schema.ts'
import { Uuid } from '#/schemas/scalar.ts'

const types = [...searchedKinds, ...serialKinds].map((kind) => kinds[kind].type)
const namedTypes = namedKinds.map((kind) => kinds[kind].type)
const text = string(unlimited)
/** The parents of a resource, from the project down to the direct one. */
const parents = array(object({ type: text, id: Uuid, name: text }), unlimited)

export const search = op({
  method: 'GET', path: '/v1/search', allow: 'user', ok: 200, tag: 'search',
  query: object({
    q: string({ maxLength: limits.find }),
    kind: optional(array(enumOf(types), { count: types.length, noun: 'kinds' })),
    limit: optional(integer({ min: 1, max: limits.search.max, format: 'uint32' })),
  }),
  response: ref('SearchResults', object({
    items: array(
      ref('SearchResult', object({
        type: text,
        id: Uuid,
        name: text,
        parents,
        field: text,
        text,
      })),
      unlimited,
    ),
  })),
})

export const nameList = op({
  method: 'GET', path: '/v1/names', allow: 'user', ok: 200, tag: 'search',
  query: object({
    id: array(Uuid, { count: limits.names, noun: 'ids' }),
    kind: array(enumOf(namedTypes), { count: namedTypes.length, noun: 'kinds' }),
  }),
  response: ref('NameResults', object({
    items: array(ref('NameResult', object({ type: text, id: Uuid, name: text, parents })), unlimited),
  })),
})
