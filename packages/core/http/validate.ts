/**
 * Reads untrusted wire values by their schema. Clients parse the reasons, so their wording is fixed: "missing field `x`", "invalid type: …", "unknown variant `a`, expected …".
 */
import { ipProblem, netProblem, parseNet } from '@purlin/contract/rules/network/ip'
import { limits } from '@purlin/contract/rules/limits'
import { emailAddressProblem } from '@purlin/contract/rules/alerts/addresses'
import { endpointProblem } from '@purlin/contract/rules/alerts/classes'
import { quoted } from '@purlin/contract/rules/messages'
import { columnsOf } from '@purlin/contract/rules/query/columns'
import { isTrouble, readFilter } from '@purlin/contract/rules/query/filter'
import { versionProblem } from '@purlin/contract/rules/versions'
import { canonicalUuid, hostnameProblem, isUuid, nameProblem, textLength } from '@purlin/contract/rules/names'
import {
  bare,
  type Format,
  type Most,
  type Node,
  type ObjectNode,
  type Schema,
} from '@purlin/contract/schema'
import { ownMaximum } from '@purlin/contract/schemas/integers'
import { fromBase64, snake } from '@purlin/contract/wire'
import { memoizeRecent } from '#/concurrency/memoize.ts'

/** A problem and its path: keys and indexes from the root. */
export class Invalid extends Error {
  override name = 'Invalid'
  readonly path: readonly (string | number)[]
  constructor(path: readonly (string | number)[], reason: string) {
    super(reason)
    // The reader continues with its own.
    this.path = [...path]
  }
  /** `disks[0].size`, empty at the root. */
  get where(): string {
    return this.path
      .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
      .join('')
  }
}

/** A text that is longer than its schema allows. */
export class TooLong extends Invalid {
  override name = 'TooLong'
}

/** Where the reader is: it pushes a step on its way into a value, and takes it away on its way out. */
type Path = (string | number)[]

// Texts that a handler refuses with its own message are read up to this multiple of their maximum.
const beyondRule = 2

/** Parses a JSON value. Throws Invalid. */
export function parse<O>(schema: Schema<O, unknown>, wire: unknown): O {
  return read(schema.node, wire, []) as O
}

/**
 * Parses a flat set of strings: a query or the parameters of a path. Unknown keys are ignored.
 * Throws Invalid; a key given twice is Invalid as well, unless
 * it is a list.
 */
export function parseStrings<O>(schema: Schema<O, unknown>, get: (key: string) => readonly string[]): O {
  const node = bare(schema.node)
  if (node.kind !== 'object') throw new Error('only objects are read from strings')
  const out: Record<string, unknown> = {}
  for (const f of node.fields) {
    const given = get(f.wire)
    if (bare(f.node).kind === 'array' && given.length > 0) {
      out[f.key] = read(f.node, given, [f.wire])
      continue
    }
    const [first, ...more] = given
    if (more.length) throw new Invalid([], `duplicate field \`${f.wire}\``)
    if (first === undefined) {
      if (f.fallback) out[f.key] = f.fallback()
      else if (!f.optional) throw new Invalid([], `missing field \`${f.wire}\``)
      continue
    }
    out[f.key] = read(f.node, fromString(f.node, first, f.wire), [f.wire])
  }
  return out as O
}

function fromString(node: Node, value: string, key: string): unknown {
  const at = bare(node)
  if (at.kind === 'nullable') return fromString(at.inner, value, key)
  if (at.kind === 'integer') {
    if (!/^-?\d+$/.test(value))
      throw new Invalid(
        [key],
        value === '' ? 'cannot parse integer from empty string' : 'invalid digit found in string',
      )
    return integerOf(value)
  }
  if (at.kind === 'boolean') {
    if (value !== 'true' && value !== 'false')
      throw new Invalid([key], 'provided string was not `true` or `false`')
    return value === 'true'
  }
  return value
}

function read(node: Node, value: unknown, path: Path): unknown {
  switch (node.kind) {
    case 'ref':
      return read(node.inner, value, path)
    case 'nullable':
      return value === null ? null : read(node.inner, value, path)
    case 'string':
      return readString(node, value, path)
    case 'integer':
      return readInteger(node, value, path)
    case 'number':
      return typeof value === 'number' ? value : wrong(value, 'f64', path)
    case 'boolean':
      return typeof value === 'boolean' ? value : wrong(value, 'a boolean', path)
    case 'enum':
      return readEnum(node.values, value, path)
    case 'array':
      return readArray(node, value, path)
    case 'record':
      return readRecord(node, asObject(value, 'a map', path), path)
    case 'object':
      return readObject(node, asObject(value, 'an object', path), path)
    case 'union':
      return readUnion(node, value, path)
    case 'time':
      return readTime(value, path)
    case 'bytes':
      return readBytes(node.max, value, path)
    case 'json':
      return readJson(value, path)
    case 'base64':
      return readBase64(beyondRule * node.max, value, path)
  }
}

/** Returns the reason why a text is invalid. */
type Check = (value: string) => string | undefined
type Of<K extends Node['kind']> = Extract<Node, { kind: K }>

const hasZone = 'an IP address with a zone is not accepted: leave out the "%" and what follows it'
const ipFormat: Check = (value) => {
  const problem = ipProblem(value)
  return problem && (problem === 'zone' ? hasZone : 'invalid IP address syntax')
}
// A set of firewall rules has the same names and networks many times.
const remembered = 2048
const netFormat = (family?: 4 | 6): Check =>
  memoizeRecent(remembered, (value) => {
    const found = parseNet(value)
    if (found && (!family || found.base.family === family)) return undefined
    if (value.includes('%') && netProblem(value, { zone: true }) === undefined) return hasZone
    return 'invalid IP network syntax, expected address/width'
  })
const uuidProblem = (value: string) =>
  isUuid(value) ? undefined : `UUID parsing failed: "${value.slice(0, 80)}" is not a UUID`

/** The check of each format. Schemas only name it, so that clients do not load the checks. */
const formats: Record<Format, Check> = {
  name: memoizeRecent(remembered, nameProblem),
  uuid: uuidProblem,
  'name-or-id': (value) => (isUuid(value) ? undefined : nameProblem(value)),
  hostname: hostnameProblem,
  ip: ipFormat,
  'ip-net': netFormat(),
  'ipv4-net': netFormat(4),
  'ipv6-net': netFormat(6),
  version: versionProblem,
  uri: endpointProblem,
  email: emailAddressProblem,
  'date-time': (value) => (timeOf(value) ? undefined : 'input contains invalid characters'),
}

function readString(node: Of<'string'>, value: unknown, path: Path): string {
  if (typeof value !== 'string') return wrong(value, 'a string', path)
  const { format, maxLength = Infinity, isRule, filterOf } = node
  // No text of a format is longer, so that there is no need to look at more of it.
  const reason = format && formats[format](value.length > maxLength ? value.slice(0, maxLength + 1) : value)
  if (reason) throw new Invalid(path, reason)
  const most = (isRule ? beyondRule : 1) * maxLength
  const length = value.length > most ? textLength(value) : 0
  if (length > most)
    throw new TooLong(path, `may contain at most ${maxLength} characters, this one has ${length}`)
  // A lone surrogate or a NUL cannot be stored as text by every engine.
  if (!value.isWellFormed() || value.includes('\0'))
    throw new Invalid(path, 'text contains a character that cannot be stored')
  const filter = filterOf === undefined ? undefined : readFilter(columnsOf(filterOf), value)
  if (filter && isTrouble(filter))
    throw new Invalid(path, `\`${quoted(value)}\`: ${filter.message}, at character ${filter.start + 1}`)
  return (format === 'uuid' || format === 'name-or-id') && isUuid(value) ? canonicalUuid(value) : value
}

// No integer of 64 bits is longer.
const digitsOfInt64 = 20
/** The value of a text of digits: a bigint where a number is not exact, and no integer if it is far too long. */
export function integerOf(text: string): number | bigint {
  const value = Number(text)
  return Number.isSafeInteger(value) || text.length > digitsOfInt64 ? value : BigInt(text)
}

function readInteger(node: Of<'integer'>, value: unknown, path: Path): number | bigint {
  if (typeof value !== 'number' && typeof value !== 'bigint') return wrong(value, node.format, path)
  // A number that is not exact was written with a fraction, an exponent or more than 20 digits.
  if (typeof value === 'number' && !Number.isSafeInteger(value))
    throw new Invalid(path, `invalid type: floating point \`${value}\`, expected ${node.format}`)
  const isTooLarge = value > node.max
  const isTooSmall = value < node.min && !(node.negativeIsRule && value < 0)
  const reason = (isTooLarge ? node.tooLarge : undefined) ?? node.outOfRange
  const most = isTooLarge ? ownMaximum(node) : undefined
  const expected = most === undefined ? node.format : `at most ${most}`
  if (isTooLarge || isTooSmall)
    throw new Invalid(path, reason ?? `invalid value: integer \`${value}\`, expected ${expected}`)
  return node.isExact ? value : Number(value)
}

function readEnum(list: readonly (string | number)[], value: unknown, path: Path): string | number {
  const found = list.find((word) => word === value)
  if (found !== undefined) return found
  const expected = oneOf(list)
  if (typeof value === 'string')
    throw new Invalid(path, `unknown variant \`${quoted(value)}\`, expected ${expected}`)
  if (typeof value === 'number' && typeof list[0] === 'number')
    throw new Invalid(path, `invalid value: integer \`${value}\`, expected ${expected}`)
  return wrong(value, typeof list[0] === 'number' ? expected : 'a string', path)
}

const oneOf = (list: readonly (string | number)[]): string => {
  const quoted = list.map((word) => `\`${word}\``)
  return quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ')
}

/** Reads a part of the value at a path. */
function readAt(node: Node, value: unknown, { path, step }: { path: Path; step: string | number }): unknown {
  path.push(step)
  const found = read(node, value, path)
  path.pop()
  return found
}

function readArray(node: Of<'array'>, value: unknown, path: Path): unknown[] {
  if (!Array.isArray(value)) return wrong(value, 'a sequence', path)
  checkCount(value.length, { most: node.max, kind: 'list' }, path)
  return value.map((item, i) => readAt(node.item, item, { path, step: i }))
}

function readRecord(node: Of<'record'>, value: Record<string, unknown>, path: Path): Record<string, unknown> {
  const entries = Object.entries(value)
  checkCount(entries.length, { most: node.max, kind: 'map' }, path)
  return Object.fromEntries(
    entries.map(([key, item]) => [key, readAt(node.value, item, { path, step: key })]),
  )
}

function checkCount(
  length: number,
  { most, kind }: { most: Most | undefined; kind: 'list' | 'map' },
  path: Path,
): void {
  if (!most || length <= (most.isRule ? beyondRule : 1) * most.count) return
  throw new Invalid(
    path,
    `invalid length ${length}, expected a ${kind} of at most ${most.count} ${most.noun}`,
  )
}

function readObject(node: ObjectNode, value: Record<string, unknown>, path: Path): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const f of node.fields) {
    const item = Object.hasOwn(value, f.wire) ? value[f.wire] : undefined
    if (f.fallback && (item === undefined || item === null)) out[f.key] = f.fallback()
    else if (item !== undefined)
      out[f.key] = f.optional && item === null ? null : readAt(f.node, item, { path, step: f.wire })
    // Clients drop null keys. Elsewhere an absent key is an error: a body that replaces all would clear it.
    else if (node.isArm && bare(f.node).kind === 'nullable') out[f.key] = null
    else if (!f.optional) throw new Invalid(path, `missing field \`${f.wire}\``)
  }
  return out
}

function readUnion(node: Of<'union'>, value: unknown, path: Path): unknown {
  const obj = asObject(value, 'an object', path)
  const tag = snake(node.tag)
  const word = obj[tag]
  if (word === undefined) throw new Invalid(path, `missing field \`${tag}\``)
  const arm = typeof word === 'string' ? node.arms.get(word) : undefined
  if (!arm) return readEnum([...node.arms.keys()], word, [...path, tag])
  return readObject(arm, obj, path)
}

function readTime(value: unknown, path: Path): Date {
  if (typeof value !== 'string') return wrong(value, 'an RFC 3339 formatted date and time string', path)
  const time = timeOf(value)
  if (!time) throw new Invalid(path, 'input contains invalid characters')
  return time
}

const rfc3339 = /^(\d{4}-\d\d-\d\d)[Tt ](\d\d):\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
function timeOf(text: string): Date | undefined {
  const [, day, hour] = (text.length <= limits.formats['date-time'] && rfc3339.exec(text)) || []
  // Date takes February 30 for March 2, and 24 o'clock for the next day.
  if (day === undefined || hour === '24' || !isDay(day)) return undefined
  const time = new Date(text.replace(' ', 'T'))
  return Number.isNaN(time.getTime()) ? undefined : time
}

function isDay(day: string): boolean {
  const time = new Date(`${day}T00:00:00Z`)
  return !Number.isNaN(time.getTime()) && time.toISOString().startsWith(day)
}

// Base64 in a body that arrived as bytes is decoded in place, before this.
function readBase64(max: number, value: unknown, path: Path): Uint8Array | null {
  const data = decoded(value, path)
  if (data && data.length > max) throw new Invalid(path, `${data.length} bytes exceed the maximum of ${max}`)
  return data
}

function decoded(value: unknown, path: Path): Uint8Array | null {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') return wrong(value, 'a string', path)
  try {
    return fromBase64(value)
  } catch {
    return null
  }
}

function readBytes(max: number, value: unknown, path: Path): Uint8Array {
  const data = readBase64(max, value, path)
  if (!data) throw new Invalid(path, 'invalid base64: standard alphabet with padding expected')
  return data
}

/** Throws for an integer that JSON cannot write as it was. */
function readJson(value: unknown, path: Path): unknown {
  if (typeof value === 'bigint') throw new Invalid(path, `invalid value: integer \`${value}\` is too large`)
  if (typeof value === 'object' && value !== null)
    for (const [key, item] of Object.entries(value)) {
      const step = Array.isArray(value) ? Number(key) : key
      readAt({ kind: 'json' }, item, { path, step })
    }
  return value
}

function asObject(value: unknown, expected: string, path: Path): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return wrong(value, expected, path)
  return value as Record<string, unknown>
}

function wrong(value: unknown, expected: string, path: Path): never {
  throw new Invalid(path, `invalid type: ${describe(value)}, expected ${expected}`)
}

function describe(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'sequence'
  if (typeof value === 'string') return `string ${JSON.stringify(quoted(value))}`
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'number' || typeof value === 'bigint')
    return `${typeof value === 'bigint' || Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``
  return 'map'
}
