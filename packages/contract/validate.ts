/**
 * Reads untrusted wire values by their schema. Reasons are worded the way clients of this API have
 * learned to read them: "missing field `x`", "invalid type: …", "unknown variant `a`, expected …".
 */
import { parseIp, parseNet } from './rules/ip.ts'
import { hostnameProblem, isUuid, nameProblem } from './rules/names.ts'
import { bare, type Node, type ObjectNode, type Schema } from './schema.ts'
import { fromBase64, snake } from './wire.ts'

/** What is wrong, and where: keys and indexes from the root. */
export class Invalid extends Error {
  override name = 'Invalid'
  readonly path: readonly (string | number)[]
  constructor(path: readonly (string | number)[], reason: string) {
    super(reason)
    this.path = path
  }
  /** `disks[0].size`, empty at the root. */
  get where(): string {
    return this.path
      .map((step, i) => (typeof step === 'number' ? `[${step}]` : i === 0 ? step : `.${step}`))
      .join('')
  }
}

type Path = readonly (string | number)[]

/** Parses a JSON value. Throws Invalid. */
export function parse<O>(schema: Schema<O, unknown>, wire: unknown): O {
  return read(schema.node, wire, []) as O
}

/**
 * Parses a flat set of strings: a query or the parameters of a path. Unknown keys are ignored.
 * Throws Invalid; a key given twice is Invalid as well.
 */
export function parseStrings<O>(schema: Schema<O, unknown>, get: (key: string) => readonly string[]): O {
  const node = bare(schema.node)
  if (node.kind !== 'object') throw new Error('only objects are read from strings')
  const out: Record<string, unknown> = {}
  for (const f of node.fields) {
    const [first, ...more] = get(f.wire)
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
    return Number(value)
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
    case 'named':
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
    case 'words':
      return readWord(node.words, value, path)
    case 'array':
      return readArray(node, value, path)
    case 'map':
      return Object.fromEntries(
        Object.entries(asObject(value, 'a map', path)).map(([key, item]) => [
          key,
          read(node.value, item, [...path, key]),
        ]),
      )
    case 'object':
      return readObject(node, asObject(value, 'an object', path), path)
    case 'union':
      return readUnion(node, value, path)
    case 'time':
      return readTime(value, path)
    case 'bytes':
      return readBytes(node.max, value, path)
    case 'base64':
      return readBase64(value, path)
  }
}

/** Says what is wrong with a text, or nothing. */
type Check = (value: string) => string | undefined
type Of<K extends Node['kind']> = Extract<Node, { kind: K }>

const net =
  (family?: 4 | 6): Check =>
  (value) => {
    const found = parseNet(value)
    return found && (!family || found.base.family === family)
      ? undefined
      : 'invalid IP network syntax, expected address/width'
  }
const uuidProblem = (value: string) =>
  isUuid(value) ? undefined : `UUID parsing failed: "${value.slice(0, 80)}" is not a UUID`

/** What each format demands. The schemas only name it, so that clients do not carry the checks. */
const formats: Record<string, Check> = {
  name: nameProblem,
  uuid: uuidProblem,
  'name-or-id': (value) => (isUuid(value) ? undefined : nameProblem(value)),
  hostname: hostnameProblem,
  ip: (value) => (parseIp(value) ? undefined : 'invalid IP address syntax'),
  'ip-net': net(),
  'ipv4-net': net(4),
  'ipv6-net': net(6),
}

function readString(node: Of<'string'>, value: unknown, path: Path): string {
  if (typeof value !== 'string') return wrong(value, 'a string', path)
  const reason = formats[node.format ?? '']?.(value)
  if (reason) throw new Invalid(path, reason)
  // A lone surrogate or a NUL cannot be stored as text by every engine.
  if (!value.isWellFormed() || value.includes('\0'))
    throw new Invalid(path, 'text contains a character that cannot be stored')
  if (node.maxLength !== undefined && value.length > node.maxLength)
    throw new Invalid(path, `may contain at most ${node.maxLength} characters`)
  return value
}

function readInteger(node: Of<'integer'>, value: unknown, path: Path): number {
  if (typeof value !== 'number') return wrong(value, node.format, path)
  if (!Number.isInteger(value))
    throw new Invalid(path, `invalid type: floating point \`${value}\`, expected ${node.format}`)
  if (value < node.min || value > node.max)
    throw new Invalid(path, node.outOfRange ?? `invalid value: integer \`${value}\`, expected ${node.format}`)
  return value
}

function readWord(list: readonly (string | number)[], value: unknown, path: Path): string | number {
  const found = list.find((word) => word === value)
  if (found !== undefined) return found
  const expected = oneOf(list)
  if (typeof value === 'string') throw new Invalid(path, `unknown variant \`${value}\`, expected ${expected}`)
  if (typeof value === 'number' && typeof list[0] === 'number')
    throw new Invalid(path, `invalid value: integer \`${value}\`, expected ${expected}`)
  return wrong(value, typeof list[0] === 'number' ? expected : 'a string', path)
}

const oneOf = (list: readonly (string | number)[]): string => {
  const quoted = list.map((word) => `\`${word}\``)
  return quoted.length > 2 ? `one of ${quoted.join(', ')}` : quoted.join(' or ')
}

function readArray(node: Of<'array'>, value: unknown, path: Path): unknown[] {
  if (!Array.isArray(value)) return wrong(value, 'a sequence', path)
  if (node.max && value.length > node.max.count)
    throw new Invalid(
      path,
      `invalid length ${value.length}, expected a list of at most ${node.max.count} ${node.max.noun}`,
    )
  return value.map((item, i) => read(node.item, item, [...path, i]))
}

function readObject(node: ObjectNode, value: Record<string, unknown>, path: Path): Record<string, unknown> {
  const out: Record<string, unknown> = {}
  for (const f of node.fields) {
    const item = Object.hasOwn(value, f.wire) ? value[f.wire] : undefined
    if (f.fallback && (item === undefined || item === null)) out[f.key] = f.fallback()
    else if (item !== undefined)
      out[f.key] = f.optional && item === null ? null : read(f.node, item, [...path, f.wire])
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
  if (!arm) return readWord([...node.arms.keys()], word, [...path, tag])
  return readObject(arm, obj, path)
}

function readTime(value: unknown, path: Path): Date {
  if (typeof value !== 'string') return wrong(value, 'an RFC 3339 formatted date and time string', path)
  const shape = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d:\d\d(\.\d+)?([Zz]|[+-]\d\d:\d\d)$/
  const at = shape.test(value) ? new Date(value.replace(' ', 'T')) : new Date(Number.NaN)
  if (Number.isNaN(at.getTime())) throw new Invalid(path, 'input contains invalid characters')
  return at
}

// A body that came as bytes has been decoded where it lay.
function readBase64(value: unknown, path: Path): Uint8Array | null {
  if (value instanceof Uint8Array) return value
  if (typeof value !== 'string') return wrong(value, 'a string', path)
  try {
    return fromBase64(value)
  } catch {
    return null
  }
}

function readBytes(max: number, value: unknown, path: Path): Uint8Array {
  const data = readBase64(value, path)
  if (!data) throw new Invalid(path, 'invalid base64: standard alphabet with padding expected')
  if (data.length > max) throw new Invalid(path, `${data.length} bytes exceed the maximum of ${max}`)
  return data
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
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`
  if (typeof value === 'boolean') return `boolean \`${value}\``
  if (typeof value === 'number')
    return `${Number.isInteger(value) ? 'integer' : 'floating point'} \`${value}\``
  return 'map'
}
