/** Reads a JSON body (RFC 8259) and says where it is wrong: `{path}: {reason} at line N column M`. */
import type { Schema } from '@purlin/contract/schema'
import { Invalid, parse } from '@purlin/contract/validate'
import { decodeBase64, utf8 } from './bytes.ts'
import { fault } from './faults.ts'

type Path = readonly (string | number)[]

/** Parses a text, or its bytes, by `schema`. Throws the 400 fault for bodies; a key given twice is refused. */
export function parseBody<O>(schema: Schema<O, unknown>, body: string | Uint8Array): O {
  if (typeof body === 'string') return parseText(schema, body)
  return parseAround(schema, body) ?? parseText(schema, utf8(body))
}

function parseText<O>(schema: Schema<O, unknown>, text: string): O {
  const json = parsed(text)
  const wrong = look(text, () => false, json !== undefined)
  if (wrong) throw fault.badBody(`${wrong.reason}${place(text, wrong.end)}`)
  try {
    return parse(schema, json)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    const where = error.where ? `${error.where}: ` : ''
    throw fault.badBody(`${where}${error.message}${place(text, endOf(text, error.path))}`)
  }
}

/** The value of a JSON text; undefined if it is none. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}

const long = 4096
const quote = 0x22

/**
 * Blocks of disks come as long strings of base64. They are decoded where they lie, and what is around them
 * is parsed as any text. Undefined if there is none or anything is unusual: then the whole is read as text.
 */
function parseAround<O>(schema: Schema<O, unknown>, body: Uint8Array): O | undefined {
  const [from, end] = longString(body)
  if (end < 0) return undefined
  const before = utf8(body.subarray(0, from))
  const after = utf8(body.subarray(end + 1))
  const isPlain = !before.includes('\\') && !after.includes('\\') && !after.trimStart().startsWith(':')
  if (!isPlain) return undefined
  // No other string can be this one, because that would take a backslash.
  const text = `${before}"\\u0000"${after}`
  try {
    const data = decodeBase64(body.subarray(from + 1, end))
    const json: unknown = JSON.parse(text, (_key, value: unknown) => (value === '\0' ? data : value))
    return look(text, () => false, true) ? undefined : parse(schema, json)
  } catch {
    return undefined
  }
}

/** Where the first long string begins and ends; -1 if there is none. */
function longString(body: Uint8Array): [from: number, end: number] {
  for (let from = body.indexOf(quote); from >= 0;) {
    const end = body.indexOf(quote, from + 1)
    if (end < 0 || end - from > long) return [from, end]
    from = body.indexOf(quote, end + 1)
  }
  return [-1, -1]
}

function place(text: string, end: number): string {
  const before = text.slice(0, end).split('\n')
  return ` at line ${before.length} column ${before.at(-1)?.length ?? 0}`
}

const endOf = (text: string, path: Path): number =>
  look(text, (at) => at.length === path.length && at.every((step, i) => step === path[i]))?.end ?? text.length

// Whoever nests deeper means no good, and code that follows nesting would break.
const deepest = 128

const blank = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these characters in strings
const plain = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Ends a walk: what stands just before `end` is wrong, or was looked for. */
class Stop extends Error {
  readonly end: number
  readonly reason: string
  constructor(end: number, reason: string) {
    super(reason)
    this.end = end
    this.reason = reason
  }
}

/** Walks through a JSON text up to its first error, repeated key, or value for which `wanted` says yes. */
function look(
  text: string,
  wanted: (path: Path) => boolean,
  isJson = false,
): { end: number; reason: string } | undefined {
  try {
    walk(text, wanted, isJson)
    return undefined
  } catch (error) {
    if (error instanceof Stop) return error
    throw error
  }
}

/**
 * Strings of a text that is known to be JSON end at the next quote, unless a backslash comes first: says
 * where the one that goes on at a place ends, or that place itself.
 */
function plainEnds(text: string): (at: number) => number {
  let backslash = -1
  return (at) => {
    if (backslash < at) backslash = text.indexOf('\\', at)
    if (backslash < 0) backslash = text.length
    const quote = text.indexOf('"', at)
    return quote < backslash ? quote : at
  }
}

function walk(text: string, wanted: (path: Path) => boolean, isJson: boolean): void {
  let at = 0
  const endOfPlain = plainEnds(text)
  const path: (string | number)[] = []

  const skip = (pattern: RegExp): boolean => {
    pattern.lastIndex = at
    if (!pattern.test(text)) return false
    at = pattern.lastIndex
    return true
  }
  /** The next character after white space; undefined at the end. */
  const next = (): string | undefined => {
    skip(blank)
    return text[at]
  }
  const stop = (reason: string, within: string): never => {
    if (at >= text.length) throw new Stop(at, `EOF while parsing ${within}`)
    throw new Stop(at + 1, reason)
  }
  const string = (): string => {
    const start = at++
    if (isJson) at = endOfPlain(at)
    while (skip(plain) && text[at] !== '"')
      if (text[at] !== '\\')
        stop('control character (\\u0000-\\u001F) found while parsing a string', 'a string')
      else if (!skip(escape)) stop('invalid escape', 'a string')
    at++
    return text.slice(start, at)
  }
  const members = (close: '}' | ']', member: (index: number) => void): void => {
    const within = close === '}' ? 'an object' : 'a list'
    if (path.length >= deepest) stop('recursion limit exceeded', within)
    at++
    for (let index = 0; next() !== close || index > 0; index++) {
      if (next() === close) stop('trailing comma', within)
      member(index)
      if (next() === close) break
      if (text[at] !== ',') stop(`expected \`,\` or \`${close}\``, within)
      at++
    }
    at++
  }
  const element = (index: number): void => {
    path.push(index)
    value()
    path.pop()
  }
  const object = (): void => {
    const seen = new Set<string>()
    members('}', () => {
      if (next() !== '"') stop('key must be a string', 'an object')
      const key = JSON.parse(string()) as string
      if (seen.has(key)) throw new Stop(at, `duplicate field \`${key}\``)
      seen.add(key)
      if (next() !== ':') stop('expected `:`', 'an object')
      at++
      path.push(key)
      value()
      path.pop()
    })
  }
  function value(): void {
    const first = next()
    if (first === '{') object()
    else if (first === '[') members(']', element)
    else if (first === '"') string()
    else if (!skip(scalar)) stop('expected value', 'a value')
    if (wanted(path)) throw new Stop(at, '')
  }

  value()
  if (next() !== undefined) stop('trailing characters', 'a value')
}
