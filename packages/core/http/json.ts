/** Parses a JSON body (RFC 8259) and reports the position of an error: `{path}: {reason} at line N column M`. */
import { quoted } from '@purlin/contract/rules/messages'
import type { Node, Schema } from '@purlin/contract/schema'
import { decodeBase64, utf8, validStart } from '#/bytes.ts'
import { type Interruptible, runAtOnce, runInSlices } from '#/concurrency/checkpoints.ts'
import { memoizeByObject } from '#/concurrency/memoize.ts'
import { fault } from '#/faults.ts'
import { integerOf, Invalid, parse, TooLong } from './validate.ts'

type Path = readonly (string | number)[]

/** Parses a text, or its bytes, by `schema`. Throws the 400 fault for bodies; a key given twice is refused. */
export const parseBody = <O>(schema: Schema<O, unknown>, body: string | Uint8Array): O =>
  runAtOnce(parsing(schema, body))

/** The same of a long body, with other work in between. */
export const parseLongBody = <O>(schema: Schema<O, unknown>, body: string | Uint8Array): Promise<O> =>
  runInSlices(parsing(schema, body))

function* parsing<O>(schema: Schema<O, unknown>, body: string | Uint8Array): Interruptible<O> {
  if (typeof body === 'string') return yield* parsingText(schema, body)
  const around = hasBytes(schema.node) ? parseAround(schema, body) : undefined
  return around ?? (yield* parsingText(schema, textOf(body)))
}

/** The text of a body. Throws 400 for bytes that are not UTF-8 (RFC 8259, section 8.1), which must not be replaced. */
function textOf(body: Uint8Array): string {
  try {
    return utf8(body)
  } catch {
    const before = validStart(body)
    throw fault.badBody('invalid unicode code point', positionOf(before, before.length))
  }
}

/** True if base64 may be somewhere in it. */
const hasBytes = memoizeByObject((node: Node): boolean => {
  switch (node.kind) {
    case 'bytes':
    case 'base64':
      return true
    case 'ref':
    case 'nullable':
      return hasBytes(node.inner)
    case 'array':
      return hasBytes(node.item)
    case 'record':
      return hasBytes(node.value)
    case 'object':
      return node.fields.some((field) => hasBytes(field.node))
    case 'union':
      return [...node.arms.values()].some(hasBytes)
    default:
      return false
  }
})

function* parsingText<O>(schema: Schema<O, unknown>, text: string): Interruptible<O> {
  const json = readJson(text)
  if (json instanceof Stop) throw fault.badBody(json.reason, positionOf(text, json.end))
  yield
  try {
    return parse(schema, json.value)
  } catch (error) {
    if (error instanceof TooLong) throw fault.invalidValue(error.where, error.message)
    if (!(error instanceof Invalid)) throw error
    const where = error.where ? `${quoted(error.where)}: ` : ''
    throw fault.badBody(`${where}${error.message}`, positionOf(text, endOf(text, error.path)))
  }
}

const long = 4096
const quote = 0x22
const backslash = 0x5c

/**
 * Blocks of disks arrive as long base64 strings. They are decoded in place, and the JSON around them is parsed
 * as text. Undefined if there is no such string or anything is unusual: then the whole body is parsed as text.
 */
function parseAround<O>(schema: Schema<O, unknown>, body: Uint8Array): O | undefined {
  const [from, end] = longString(body)
  if (end < 0) return undefined
  try {
    const before = utf8(body.subarray(0, from))
    const after = utf8(body.subarray(end + 1))
    const isPlain = !before.includes('\\') && !after.includes('\\') && !after.trimStart().startsWith(':')
    if (!isPlain) return undefined
    // No other string can decode to this placeholder, because that would take a backslash.
    const text = `${before}"\\u0000"${after}`
    const json = readJson(text, { placeholder: decodeBase64(body.subarray(from + 1, end)) })
    return json instanceof Stop ? undefined : parse(schema, json.value)
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

function positionOf(text: string, end: number): { line: number; column: number } {
  let line = 1
  let start = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < end; at = text.indexOf('\n', start)) {
    line++
    start = at + 1
  }
  return { line, column: end - start }
}

/** Where the value at a path ends. */
function endOf(text: string, path: Path): number {
  const isWanted = (at: Path) => at.length === path.length && at.every((step, i) => step === path[i])
  const found = readJson(text, { isWanted })
  return found instanceof Stop ? found.end : text.length
}

// No resource nests this deep, and code that follows the nesting would exhaust the stack.
const deepest = 128

const blank = /[ \t\n\r]*/y
// oxlint-disable-next-line no-control-regex -- JSON forbids exactly these characters in strings
const plain = /[^"\\\u0000-\u001f]*/y
const escape = /\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})/y
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/** Stops: the character just before `end` is wrong, or the value before it is the requested one. */
class Stop extends Error {
  readonly end: number
  readonly reason: string
  constructor(end: number, reason: string) {
    super(reason)
    this.end = end
    this.reason = reason
  }
}

interface HowToRead {
  /** Ends the reading after the value for whose path this returns true. */
  isWanted?: (path: Path) => boolean
  /** Replaces every string that has only a NUL. */
  placeholder?: Uint8Array
}

/** Parses a JSON text up to its first error, repeated key, or the requested value. */
function readJson(text: string, how: HowToRead = {}): { value: unknown } | Stop {
  try {
    const value = how.isWanted || how.placeholder ? undefined : readAtOnce(text)
    if (value !== undefined) return { value }
    return { value: new JsonReader(text, how).whole() }
  } catch (error) {
    if (error instanceof Stop) return error
    throw error
  }
}

/**
 * Parses a text with `JSON.parse`; undefined if the reader below has to decide. A key or a string has two quotes, so a
 * text with more quotes than the parsed keys and strings has a repeated key, of which `JSON.parse` keeps the last.
 */
function readAtOnce(text: string): object | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) && 2 * stringsIn(value, 0) === quotesIn(text) ? value : undefined
  } catch {
    return undefined
  }
}

const isObject = (value: unknown): value is object => typeof value === 'object' && value !== null

// `JSON.parse` rounds large integers.
const isExact = (item: unknown): boolean =>
  typeof item !== 'number' || Math.abs(item) < Number.MAX_SAFE_INTEGER

/** The keys and strings in a value; Infinity if it nests too deep or has a number that may have been rounded. */
function stringsIn(value: object, depth: number): number {
  if (depth >= deepest) return Infinity
  const ofItem = (item: unknown) =>
    typeof item === 'string' ? 1 : isObject(item) ? stringsIn(item, depth + 1) : isExact(item) ? 0 : Infinity
  let count = 0
  // These loops make no list of the values, which takes eight times as long.
  if (Array.isArray(value)) for (const item of value) count += ofItem(item)
  else for (const key in value) count += 1 + ofItem((value as Record<string, unknown>)[key])
  return count
}

/** The quotes in a valid text that begin or end a string. */
function quotesIn(text: string): number {
  let count = 0
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at)
    if (code === quote) count++
    else if (code === backslash) at++
  }
  return count
}

const isInteger = /^-?\d+$/
const words: Record<string, boolean | null> = { true: true, false: false, null: null }

/** Reads what `JSON.parse` cannot: positions of errors, repeated keys, large integers, placeholders. */
class JsonReader {
  readonly #text: string
  readonly #how: HowToRead
  readonly #path: (string | number)[] = []
  #at = 0

  constructor(text: string, how: HowToRead) {
    this.#text = text
    this.#how = how
  }

  whole(): unknown {
    const value = this.#value()
    if (this.#next() !== undefined) this.#stop('trailing characters', 'a value')
    return value
  }

  #value(): unknown {
    const first = this.#next()
    const value =
      first === '{'
        ? this.#object()
        : first === '['
          ? this.#list()
          : first === '"'
            ? this.#replaced(this.#string())
            : this.#scalar()
    if (this.#how.isWanted?.(this.#path)) throw new Stop(this.#at, '')
    return value
  }

  #object(): Record<string, unknown> {
    const out: Record<string, unknown> = {}
    this.#members('}', () => {
      if (this.#next() !== '"') this.#stop('key must be a string', 'an object')
      const key = this.#string()
      if (Object.hasOwn(out, key)) throw new Stop(this.#at, `duplicate field \`${quoted(key)}\``)
      if (this.#next() !== ':') this.#stop('expected `:`', 'an object')
      this.#at++
      const value = this.#member(key)
      if (key !== '__proto__') out[key] = value
      else Object.defineProperty(out, key, { value, enumerable: true, configurable: true, writable: true })
    })
    return out
  }

  #list(): unknown[] {
    const out: unknown[] = []
    this.#members(']', (index) => out.push(this.#member(index)))
    return out
  }

  #member(step: string | number): unknown {
    this.#path.push(step)
    const value = this.#value()
    this.#path.pop()
    return value
  }

  #members(close: '}' | ']', member: (index: number) => void): void {
    const within = close === '}' ? 'an object' : 'a list'
    if (this.#path.length >= deepest) this.#stop('recursion limit exceeded', within)
    this.#at++
    for (let index = 0; this.#next() !== close || index > 0; index++) {
      if (this.#next() === close) this.#stop('trailing comma', within)
      member(index)
      if (this.#next() === close) break
      if (this.#text[this.#at] !== ',') this.#stop(`expected \`,\` or \`${close}\``, within)
      this.#at++
    }
    this.#at++
  }

  #string(): string {
    const start = this.#at++
    let isPlain = true
    while (this.#skip(plain) && this.#text[this.#at] !== '"') {
      isPlain = false
      if (this.#text[this.#at] !== '\\')
        this.#stop('control character (\\u0000-\\u001F) found while parsing a string', 'a string')
      else if (!this.#skip(escape)) this.#stop('invalid escape', 'a string')
    }
    this.#at++
    if (isPlain) return this.#text.slice(start + 1, this.#at - 1)
    return JSON.parse(this.#text.slice(start, this.#at)) as string
  }

  #replaced(text: string): unknown {
    return text === '\0' ? (this.#how.placeholder ?? text) : text
  }

  #scalar(): unknown {
    const start = this.#at
    if (!this.#skip(scalar)) this.#stop('expected value', 'a value')
    const text = this.#text.slice(start, this.#at)
    if (text in words) return words[text]
    return isInteger.test(text) ? integerOf(text) : Number(text)
  }

  #skip(pattern: RegExp): boolean {
    pattern.lastIndex = this.#at
    if (!pattern.test(this.#text)) return false
    this.#at = pattern.lastIndex
    return true
  }

  /** The next character after white space; undefined at the end. */
  #next(): string | undefined {
    const code = this.#text.charCodeAt(this.#at)
    if (code <= 0x20) this.#skip(blank)
    return this.#text[this.#at]
  }

  #stop(reason: string, within: string): never {
    if (this.#at >= this.#text.length) throw new Stop(this.#at, `EOF while parsing ${within}`)
    throw new Stop(this.#at + 1, reason)
  }
}
