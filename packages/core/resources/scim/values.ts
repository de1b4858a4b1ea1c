/** Reads values of SCIM resources, which identity systems write in several ways. All of them throw 400. */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'

export type Entries = readonly [name: string, value: unknown][]

const invalid = (name: string, reason: string) => fault.scim('invalidValue', `${name}: ${reason}`)

/** A text, undefined for none: null and an empty one mean the same. */
export function textOf(name: string, value: unknown): string | undefined {
  if (value === null || value === undefined || value === '') return undefined
  if (typeof value !== 'string') throw invalid(name, 'expected a text')
  if (value.length > limits.scim.text) throw invalid(name, `at most ${limits.scim.text} characters`)
  if (/\p{Cc}/u.test(value)) throw invalid(name, 'control characters are not allowed')
  return value
}

export function requiredText(name: string, value: unknown): string {
  const text = textOf(name, value)
  if (text === undefined || text.trim() === '') throw invalid(name, 'it must not be empty')
  return text
}

/** Some systems send truth values as texts. */
export function flagOf(name: string, value: unknown): boolean {
  if (typeof value === 'boolean') return value
  const text = typeof value === 'string' ? value.toLowerCase() : ''
  if (text === 'true') return true
  if (text === 'false') return false
  throw invalid(name, 'expected true or false')
}

/** The attributes of an object. */
export function entriesOf(name: string, value: unknown): Entries {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw fault.scim('invalidSyntax', `${name}: expected an object`)
  return Object.entries(value)
}

/** The value of an attribute, whose case does not count. */
export const valueIn = (entries: Entries, name: string): unknown =>
  entries.find(([key]) => key.toLowerCase() === name)?.[1]

/** The elements of an attribute with several values. One by itself is a list of one. */
export function listOf(name: string, value: unknown, most: number): readonly unknown[] {
  const list: readonly unknown[] =
    value === null || value === undefined ? [] : Array.isArray(value) ? value : [value]
  if (list.length > most) throw fault.scim('tooMany', `${name}: at most ${most} values`)
  return list
}
