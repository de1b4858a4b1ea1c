/**
 * Filters and paths of SCIM (RFC 7644, sections 3.4.2.2 and 3.5.2). The case of attributes and operators does not count, so
 * here they are in lower case. Identity systems also filter by a part of an element: `emails[type eq "work"].value eq "x"`.
 */
import { limits } from '@purlin/contract/rules/limits'
import { fault } from '#/faults.ts'

type Value = string | number | boolean | null
export type Filter =
  | { op: 'and' | 'or'; parts: readonly Filter[] }
  | { op: 'not'; part: Filter }
  | { op: 'within'; attribute: string; part: Filter; rest?: Filter }
  | { op: 'compare'; attribute: string; by: string; value: Value }
  | { op: 'present'; attribute: string }

/** Where an operation of a PATCH applies, such as `emails[type eq "work"].value`. */
export interface Path {
  attribute: string
  filter?: Filter
  sub?: string
}

const comparisons = new Set(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/

class Unreadable extends Error {}

/** Parses a filter. Throws 400. */
export const parseFilter = (text: string): Filter =>
  reading('invalidFilter', text, (tokens) => {
    const filter = readOr(tokens)
    tokens.end()
    return filter
  })

/** Parses a path. Throws 400. */
export const parsePath = (text: string): Path =>
  reading('invalidPath', text, (tokens) => {
    const [attribute = '', sub] = splitAttribute(tokens.word())
    if (sub !== undefined || !tokens.take('[')) {
      tokens.end()
      return { attribute, ...(sub === undefined ? {} : { sub }) }
    }
    const filter = readOr(tokens)
    tokens.expect(']')
    const part = tokens.take('.') ? tokens.word() : undefined
    tokens.end()
    return { attribute, filter, ...(part === undefined ? {} : { sub: part }) }
  })

/** An attribute and its part. Ids of extensions have dots, so these stay as they are. */
function splitAttribute(word: string): string[] {
  const plain = word.replace(coreSchema, '')
  const dot = plain.startsWith('urn:') ? -1 : plain.indexOf('.')
  return dot < 0 ? [plain] : [plain.slice(0, dot), plain.slice(dot + 1)]
}

function reading<T>(type: 'invalidFilter' | 'invalidPath', text: string, read: (tokens: Tokens) => T): T {
  try {
    return read(tokensOf(text))
  } catch (error) {
    if (error instanceof Unreadable) throw fault.scim(type, error.message)
    throw error
  }
}

interface Tokens {
  /** Takes the next token if it is this one, whose case does not count. */
  take(token: string): boolean
  expect(token: string): void
  /** The name of an attribute or an operator, in lower case. */
  word(): string
  value(): Value
  end(): void
  /** Runs a reader one level deeper. */
  nested<T>(read: () => T): T
}

// No two alternatives begin with the same character, so that no text is read twice.
const pattern = /\s*("(?:[^"\\]|\\.)*"|[()[\].]|[a-z$][\w$:.%-]*|-?\d[\d.e+-]*)\s*/iy

function tokensOf(text: string): Tokens {
  if (text.length > limits.scim.filter) throw new Unreadable('it is too long')
  if (/\p{Cc}/u.test(text)) throw new Unreadable('it has control characters')
  const tokens: string[] = []
  pattern.lastIndex = 0
  for (let at = 0; at < text.length; at = pattern.lastIndex) {
    const [, token] = pattern.exec(text) ?? []
    if (token === undefined) throw new Unreadable(`unexpected character ${at + 1}`)
    tokens.push(token)
  }
  let at = 0
  let depth = 0
  const isNext = (token: string) => tokens[at]?.toLowerCase() === token
  const take = (token: string) => {
    const isTaken = isNext(token)
    if (isTaken) at++
    return isTaken
  }
  return {
    take,
    expect(token) {
      if (!take(token)) throw new Unreadable(`expected ${token}`)
    },
    word() {
      const token = tokens[at++]?.toLowerCase() ?? ''
      if (!/^[a-z$]/.test(token)) throw new Unreadable('expected an attribute')
      return token
    },
    value: () => valueOf(tokens[at++]),
    end() {
      if (at < tokens.length) throw new Unreadable('expected the end')
    },
    nested(read) {
      if (++depth > limits.scim.nesting) throw new Unreadable('too many brackets')
      const value = read()
      depth--
      return value
    },
  }
}

function valueOf(token: string | undefined): Value {
  try {
    const value: unknown = JSON.parse(token ?? '')
    const isPlain = value === null || typeof value !== 'object'
    // They may be escaped. PostgreSQL has no text with NUL.
    if (isPlain && !(typeof value === 'string' && /\p{Cc}/u.test(value))) return value as Value
  } catch {
    // As below.
  }
  throw new Unreadable('expected a value')
}

const readOr = (tokens: Tokens): Filter => tokens.nested(() => joined(tokens, 'or', readAnd))
const readAnd = (tokens: Tokens): Filter => joined(tokens, 'and', readTerm)

function joined(tokens: Tokens, op: 'and' | 'or', read: (tokens: Tokens) => Filter): Filter {
  const first = read(tokens)
  const parts = [first]
  while (tokens.take(op)) parts.push(read(tokens))
  return parts.length === 1 ? first : { op, parts }
}

function readTerm(tokens: Tokens): Filter {
  if (tokens.take('(')) return enclosed(tokens, ')')
  const word = tokens.word()
  if (word === 'not' && tokens.take('(')) return { op: 'not', part: enclosed(tokens, ')') }
  const attribute = word.replace(coreSchema, '')
  if (!tokens.take('[')) return relation(tokens, attribute)
  const part = enclosed(tokens, ']')
  return tokens.take('.')
    ? { op: 'within', attribute, part, rest: relation(tokens, tokens.word()) }
    : { op: 'within', attribute, part }
}

function enclosed(tokens: Tokens, close: string): Filter {
  const filter = readOr(tokens)
  tokens.expect(close)
  return filter
}

function relation(tokens: Tokens, attribute: string): Filter {
  const by = tokens.word()
  if (by === 'pr') return { op: 'present', attribute }
  if (!comparisons.has(by))
    throw new Unreadable(`unknown operator after ${attribute.slice(0, limits.scim.id)}`)
  return { op: 'compare', attribute, by, value: tokens.value() }
}

/** The values that the attributes of a filter must have, if it only joins comparisons for equality; else undefined. */
export function equalities(filter: Filter): [attribute: string, value: Value][] | undefined {
  if (filter.op === 'compare') return filter.by === 'eq' ? [[filter.attribute, filter.value]] : undefined
  if (filter.op !== 'and') return undefined
  const all = filter.parts.map(equalities)
  return all.some((some) => some === undefined) ? undefined : all.flatMap((some) => some ?? [])
}
