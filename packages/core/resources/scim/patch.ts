/** The operations of a PATCH (RFC 7644, section 3.5.2), in the shapes in which identity systems send them. */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'
import { parsePath, type Path } from './expressions.ts'
import { entriesOf, listOf, valueIn } from './values.ts'

export interface Operation {
  op: 'add' | 'replace' | 'remove'
  path: Path
  value: unknown
}

const ops = ['add', 'replace', 'remove'] as const
/** Attributes that only this service sets. In a whole resource they are ignored. */
const readOnly = new Set(['id', 'meta', 'schemas', 'groups'])

/** The operations of a body, each for one attribute. Throws 400. */
export function operationsOf(body: unknown): Operation[] {
  const list = valueIn(entriesOf('the body', body), 'operations')
  if (!Array.isArray(list) || list.length === 0)
    throw fault.scim('invalidSyntax', 'Operations: expected a list with one operation or more')
  return listOf('Operations', list, limits.scim.operations).flatMap(operationsIn)
}

function operationsIn(given: unknown): Operation[] {
  const entries = entriesOf('an operation', given)
  const word = valueIn(entries, 'op')
  const op = ops.find((one) => typeof word === 'string' && one === word.toLowerCase())
  if (!op) throw fault.scim('invalidSyntax', 'op: expected add, replace or remove')
  const path = valueIn(entries, 'path')
  const value = valueIn(entries, 'value')
  if (path !== undefined && path !== null && path !== '') return [{ op, path: pathOf(path), value }]
  if (op === 'remove') throw fault.scim('noTarget', 'remove: a path is needed')
  return assignmentsOf(value, op)
}

function pathOf(path: unknown): Path {
  if (typeof path !== 'string') throw fault.scim('invalidPath', 'path: expected a text')
  const parsed = parsePath(path)
  if (readOnly.has(parsed.attribute))
    throw fault.scim('mutability', `${parsed.attribute}: only this service sets it`)
  return parsed
}

/** A resource, or some attributes of one, as an operation for each attribute. Its keys may be paths. */
export const assignmentsOf = (resource: unknown, op: 'add' | 'replace' = 'replace'): Operation[] =>
  entriesOf('the value', resource)
    .filter(([key]) => !readOnly.has(key.toLowerCase()))
    .map(([key, value]) => ({ op, path: parsePath(key), value }))
