/** Between the value of a field on the wire and the text of a flag. Each is the inverse of the other. */
import { formatBytes, GiB, KiB, MiB, TiB } from '../rules/limits.ts'
import type { Flag } from './flags.ts'

/** A text that is no value of its flag. The message says which values are. */
export class FlagError extends Error {
  override name = 'FlagError'
}

const units: Readonly<Record<string, number>> = { KiB, MiB, GiB, TiB }

/** A flag that was given: its texts in their order, or false for `--no-…`. */
export type Given = readonly string[] | false

/** Values that a file may give: `@FILE`. The names of states and numbers are never in one. */
export const mayBeFile = ({ node }: Flag): boolean =>
  !['integer', 'number', 'boolean', 'enum', 'time'].includes(node.kind)

/** The value on the wire. Throws FlagError. */
export function valueFrom(flag: Flag, given: Given): unknown {
  if (given === false) return flag.node.kind === 'boolean' && !flag.isList ? false : emptyOf(flag)
  if (flag.isList)
    return given.flatMap((text) => (text.startsWith('[') ? listFrom(text) : [oneFrom(flag, text)]))
  return oneFrom(flag, given.at(-1) ?? '')
}

const emptyOf = ({ isNullable, isList, name }: Flag): unknown => {
  if (isNullable) return null
  if (isList) return []
  throw new FlagError(`--no-${name} has no meaning: the field cannot be empty`)
}

function listFrom(text: string): unknown[] {
  const value = jsonFrom(text)
  return Array.isArray(value) ? value : [value]
}

function oneFrom(flag: Flag, text: string): unknown {
  const { node, isByteCount } = flag
  switch (node.kind) {
    case 'integer':
      return integerFrom(text, isByteCount)
    case 'number':
      return numberFrom(text)
    case 'boolean':
      return booleanFrom(flag, text)
    case 'enum':
      return oneOf(node.values, text)
    case 'string':
    case 'time':
    case 'bytes':
    case 'base64':
      return text
    default:
      return jsonFrom(text)
  }
}

function integerFrom(text: string, isByteCount: boolean): number | bigint {
  const [, digits, unit] = /^(-?\d+)(KiB|MiB|GiB|TiB)?$/.exec(text) ?? []
  if (digits === undefined || (unit !== undefined && !isByteCount))
    throw new FlagError(isByteCount ? 'expected a number of bytes, such as 4GiB' : 'expected a whole number')
  const value = BigInt(digits) * BigInt(unit === undefined ? 1 : (units[unit] ?? 1))
  const near = Number(value)
  return Number.isSafeInteger(near) ? near : value
}

function numberFrom(text: string): number {
  const value = Number(text)
  if (text.trim() === '' || !Number.isFinite(value)) throw new FlagError('expected a number')
  return value
}

function booleanFrom({ isNullable }: Flag, text: string): boolean | null {
  if (text === 'true' || text === 'false') return text === 'true'
  if (text === 'null' && isNullable) return null
  throw new FlagError(`expected true${isNullable ? ', false or null' : ' or false'}`)
}

function oneOf(values: readonly (string | number)[], text: string): string | number {
  const found = values.find((value) => String(value) === text)
  if (found !== undefined) return found
  const [last, ...others] = values.map(String).toReversed()
  const names = others.length === 0 ? `${last}` : `${others.toReversed().join(', ')} or ${last}`
  throw new FlagError(`expected ${names}`)
}

function jsonFrom(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    throw new FlagError('expected JSON')
  }
}

/** The texts that give a value; undefined if no flag can. A text that begins with `@` begins with two. */
export function textsOf(flag: Flag, value: unknown): Given | undefined {
  if (value === null) {
    if (!flag.isNullable) return undefined
    return flag.node.kind === 'boolean' ? ['null'] : false
  }
  if (!flag.isList) return flag.node.kind === 'boolean' && value === false ? false : one(flag, value)
  if (!Array.isArray(value)) return undefined
  if (value.length === 0) return flag.isNullable ? ['[]'] : false
  const texts = value.map((item) => one(flag, item)?.[0])
  return texts.some((text) => text === undefined || text.startsWith('['))
    ? [JSON.stringify(value)]
    : (texts as string[])
}

function one(flag: Flag, value: unknown): [string] | undefined {
  const text = plain(flag, value)
  if (text === undefined) return undefined
  return [mayBeFile(flag) && text.startsWith('@') ? `@${text}` : text]
}

function plain({ node, isByteCount }: Flag, value: unknown): string | undefined {
  switch (node.kind) {
    case 'integer':
      return isByteCount && typeof value === 'number' ? bytesText(value) : digitsOf(value)
    case 'number':
    case 'boolean':
    case 'enum':
      return String(value)
    case 'string':
    case 'time':
    case 'bytes':
    case 'base64':
      return typeof value === 'string' ? value : undefined
    default:
      return JSON.stringify(value)
  }
}

/** `4GiB` where a unit divides it. */
function bytesText(count: number): string {
  const text = formatBytes(count).replace(' ', '')
  return text.endsWith('iB') ? text : String(count)
}

/** An encoded integer of 64 bits is an object that knows its digits. */
const digitsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null && 'rawJSON' in value ? String(value.rawJSON) : String(value)
