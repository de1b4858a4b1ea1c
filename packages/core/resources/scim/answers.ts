/** Answers in the formats of SCIM: lists, the attributes that a request selects, and addresses. */
import { scimRoot } from '@purlin/contract/operations/access/scim'
import { limits } from '@purlin/contract/rules/limits'
import type { Ctx } from '#/context.ts'

export type Resource = Readonly<Record<string, unknown>>

export interface Selection {
  attributes?: string | undefined
  excludedAttributes?: string | undefined
}
export interface PageQuery extends Selection {
  filter?: string | undefined
  startIndex?: number | undefined
  count?: number | undefined
}

export const coreSchema = (type: 'User' | 'Group') => `urn:ietf:params:scim:schemas:core:2.0:${type}`
export const locationOf = ({ origin }: Pick<Ctx, 'origin'>, path: string): string =>
  `${origin}${scimRoot}/${path}`

/** The part that the service sets (RFC 7643, section 3.1). */
export const metaOf = (
  ctx: Ctx,
  type: 'User' | 'Group',
  { id, timeCreated, timeModified }: { id: string; timeCreated: number; timeModified: number },
) => ({
  resourceType: type,
  created: new Date(timeCreated).toISOString(),
  lastModified: new Date(timeModified).toISOString(),
  location: locationOf(ctx, `${type}s/${id}`),
})

const namesIn = (text: string | undefined): string[] =>
  (text ?? '')
    .split(',')
    .map((name) =>
      name
        .trim()
        .toLowerCase()
        .replace(/^urn:.*:/, ''),
    )
    .filter(Boolean)

/** True if the answer has an attribute, which need not be read otherwise. */
export function isSelected({ attributes, excludedAttributes }: Selection, name: string): boolean {
  const wanted = namesIn(attributes)
  const isOf = (one: string) => one === name || one.startsWith(`${name}.`)
  return wanted.length > 0 ? wanted.some(isOf) : !namesIn(excludedAttributes).includes(name)
}

/** The attributes of a resource that a request selects: some with their parts, or all but some. */
export const selected = (resource: Resource, selection: Selection): Resource =>
  Object.fromEntries(
    Object.entries(resource).filter(
      ([key]) => key === 'schemas' || key === 'id' || isSelected(selection, key.toLowerCase()),
    ),
  )

/** The rows of a page: how many come before it, and the most that it has. */
export function pageOf({ startIndex = 1, count }: PageQuery): { offset: number; limit: number } {
  const { page } = limits.scim
  const limit = Math.min(Math.max(0, count ?? page.default), page.max)
  return { offset: Math.max(1, startIndex) - 1, limit }
}

export const listResponse = (total: number, offset: number, resources: readonly Resource[]) => ({
  schemas: ['urn:ietf:params:scim:api:messages:2.0:ListResponse'],
  totalResults: total,
  startIndex: offset + 1,
  itemsPerPage: resources.length,
  Resources: resources,
})

/** As many of the rows as have no more related ones than an answer may hold, but one at least. */
export function fitting<T extends { id: string }>(
  rows: readonly T[],
  related: ReadonlyMap<string, number>,
): T[] {
  let sum = 0
  return rows.filter((row, i) => {
    sum += related.get(row.id) ?? 0
    return i === 0 || sum <= limits.scim.page.related
  })
}
