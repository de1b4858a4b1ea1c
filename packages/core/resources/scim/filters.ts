/**
 * Filters of lists (RFC 7644, section 3.4.2.2): comparisons for equality, joined by `and`. They become conditions of a query
 * with its values as parameters, so that the database finds the rows by an index.
 */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'
import { equalities, parseFilter, type Filter } from './expressions.ts'

type Value = string | number | boolean | null
export interface Condition {
  /** In lower case; `members` and `emails` stand for their values. */
  attribute: string
  value: Value
}

/** The attribute of a condition on addresses of one type begins with it. */
export const emailsOfType = 'emails:type='
/** A type of addresses as such an attribute has it. */
export const typeKeyOf = (type: string): string => type.toLowerCase().replaceAll(' ', '_')

const supported = 'a filter must be comparisons with eq, joined by and'
const unsupported = (reason: string) => fault.scim('invalidFilter', reason)

/** A filter by this attribute is not possible. */
export const notFiltered = (attribute: string) =>
  unsupported(`filters by this attribute are not supported: ${attribute.slice(0, limits.scim.id)}`)

export function textIn(value: Value): string {
  if (typeof value !== 'string') throw unsupported('expected a text to compare with')
  return value
}

export function flagIn(value: Value): boolean {
  if (typeof value !== 'boolean') throw unsupported('expected true or false to compare with')
  return value
}

/** The conditions of a filter; none without one. Throws 400. */
export const conditionsOf = (filter: string | undefined): Condition[] =>
  filter === undefined ? [] : conditionsIn(parseFilter(filter))

function conditionsIn(filter: Filter): Condition[] {
  if (filter.op === 'and') return filter.parts.flatMap(conditionsIn)
  if (filter.op === 'within') return [withinList(filter)]
  const [one] = equalities(filter) ?? []
  if (!one) throw unsupported(supported)
  const [attribute, value] = one
  return [{ attribute: attribute.replace(/^(members|emails)\.value$/, '$1'), value }]
}

/** A condition on one element of a list: `emails[type eq "work" and value eq "x"]`, or `emails[type eq "work"].value eq "x"`. */
function withinList({ attribute, part, rest }: Extract<Filter, { op: 'within' }>): Condition {
  const all = [part, ...(rest ? [rest] : [])].map(equalities)
  const wanted = new Map(all.flatMap((some) => some ?? []))
  const value = wanted.get('value')
  const [type, primary] = [wanted.get('type'), wanted.get('primary')]
  const isList = attribute === 'emails' || attribute === 'members'
  const isPossible = isList && all.every(Boolean) && value !== undefined && wanted.size <= 2
  if (!isPossible) throw unsupported(supported)
  if (wanted.size === 1) return { attribute, value }
  if (attribute === 'emails' && typeof type === 'string')
    return { attribute: emailsOfType + typeKeyOf(type), value }
  if (attribute === 'emails' && primary === true) return { attribute: 'emails:primary', value }
  throw unsupported(supported)
}
