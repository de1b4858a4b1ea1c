/** Our own operation: finds the resources that a user may see, by words, ids and addresses. */
import { op } from '#/op.ts'
import { kinds } from '#/rules/kinds.ts'
import { limits } from '#/rules/limits.ts'
import { namedKinds, searchedKinds } from '#/rules/lists.ts'
import { array, enumOf, integer, object, optional, ref, string, unlimited } from '#/schema.ts'
import { Uuid } from '#/schemas/scalar.ts'

const types = searchedKinds.map((kind) => kinds[kind].type)
const namedTypes = namedKinds.map((kind) => kinds[kind].type)
const text = string(unlimited)
/** The parents of a resource, from the project down to the direct one. */
const parents = array(object({ type: text, id: Uuid, name: text }), unlimited)

export const search = op({
  method: 'GET', path: '/v1/search', allow: 'user', ok: 200, tag: 'search',
  summary: 'Find what the caller may list, of all kinds and projects, by words of names and descriptions, ids and addresses',
  query: object({
    /** As in `find` of lists; an address is given whole. */
    q: string({ maxLength: limits.find }),
    /** Kinds as in messages: `disk`, `vpc-subnet`. All of them unless given. */
    kind: optional(array(enumOf(types), { count: types.length, noun: 'kinds' })),
    /** 20 unless given. */
    limit: optional(integer({ min: 1, max: limits.search.max, format: 'uint32' })),
  }),
  response: ref('SearchResults', object({
    /** The best ones first: by the name, its beginning, a word of it, and then by the rest. */
    items: array(
      ref('SearchResult', object({
        type: text,
        id: Uuid,
        name: text,
        parents,
        /** The field that matches, and its text: `name`, `id`, `description`, `address`, … */
        field: text,
        text,
      })),
      unlimited,
    ),
  })),
})

export const nameList = op({
  method: 'GET', path: '/v1/names', allow: 'user', ok: 200, tag: 'search',
  summary: 'List the names of the resources with these ids that the caller may list',
  query: object({
    id: array(Uuid, { count: limits.names, noun: 'ids' }),
    /** The kinds that the ids may be of, as in messages: `disk`, `vpc-subnet`. */
    kind: array(enumOf(namedTypes), { count: namedTypes.length, noun: 'kinds' }),
  }),
  response: ref('NameResults', object({
    items: array(ref('NameResult', object({ type: text, id: Uuid, name: text, parents })), unlimited),
  })),
})
