/**
 * Messages of errors that clients recognise. The server builds a message from its values; a client reads the values
 * back from the text, because the error envelope has no field for them. Other servers may word an error differently:
 * then the client reads no values and shows the text itself.
 */
import { limits } from './limits.ts'

/** The part of a request that an error quotes: its beginning, if it is long. */
export const quoted = (text: string): string =>
  text.length <= limits.quoted ? text : `${text.slice(0, limits.quoted - 1).replace(/[\uD800-\uDBFF]$/, '')}…`

type Blank<T extends string> = T extends `${string}{${infer Name}}${infer Rest}`
  ? (Name extends `${infer Bare}:number` ? Bare : Name) | Blank<Rest>
  : never
/** A text with placeholders, e.g. `already exists: {type} "{name}"`; one for digits is `{line:number}`. */
interface Message<T extends string> {
  /** The text with its blanks filled. */
  (values: Record<Blank<T>, string | number>): string
  /** The values of the blanks, or undefined if the text is not this message. */
  read(text: string): Record<Blank<T>, string> | undefined
}

const blank = /\{(\w+)(:number)?\}/g

// @__NO_SIDE_EFFECTS__
function message<const T extends string>(template: T): Message<T> {
  const build = (values: Record<string, string | number>) =>
    template.replace(blank, (_, name: string) => String(values[name]))
  let pattern: RegExp | undefined
  const read = (text: string) => {
    pattern ??= patternOf(template)
    const match = pattern.exec(text)
    return match ? ({ ...match.groups } as Record<Blank<T>, string>) : undefined
  }
  return Object.assign(build, { read })
}

// Placeholders match as little as possible. A name may contain any text, so it comes last.
function patternOf(template: string): RegExp {
  const literal = template.replace(/[.*+?()|[\]\\^$]/g, '\\$&')
  const group = (_: string, name: string, isNumber: string | undefined) =>
    `(?<${name}>${isNumber ? String.raw`\d+` : '[^]*?'})`
  return new RegExp(`^${literal.replace(blank, group)}$`)
}

export const messages = {
  alreadyExists: message('already exists: {type} "{name}"'),
  /** As other servers may say it. */
  alreadyExistsUnnamed: message('already exists: {type}'),
  /** `by` is `name` or `id`. */
  notFound: message('not found: {type} with {by} "{name}"'),
  unsupportedValue: message('unsupported value for "{field}": {reason}'),
  badOrder: message(
    'unable to parse query string: sort_by: `{mode}` is offered for lists of at most {most:number} items',
  ),
  badBody: message('unable to parse JSON body: {reason}'),
  badBodyAt: message('unable to parse JSON body: {reason} at line {line:number} column {column:number}'),
  /** `noun` is what is limited: 'Storage'. */
  limitExceeded: message('Insufficient capacity: {noun} Limit Exceeded: {reason}'),
  externalIpNotAvailable: message('Requested external IP address not available'),
  /** The problem with one address of a stream of events. */
  scope: message('scope {scope}: {reason}'),
  /** Why the stream of a screen ends before its first byte. */
  simulatedHasNoScreen: message('the machine is simulated, and has no screen'),
  notAligned: message('Input tables to a `{operation}` must be aligned'),
  tooManyPoints: message(
    'The query would read more than {limit:number} points: filter more, or take a shorter range',
  ),
  tooManyAligned: message(
    'The alignments of the query would make too many points: use longer periods, or filter more',
  ),
}

/** The subject of an error: a resource by type and name (or id), or a field of the request. */
export interface About {
  type?: string
  name?: string
  field?: string
}

/** An entry of a list in a request: the field with the list, its place in it (0 first), and its name. */
export interface Entry {
  list: string
  index: number
  name: string
}

/** The subject in the message of an error. */
export function aboutOf(text: string): About {
  const { type, name } = messages.alreadyExists.read(text) ?? messages.notFound.read(text) ?? {}
  if (type !== undefined && name !== undefined) return { type, name }
  const unnamed = messages.alreadyExistsUnnamed.read(text)
  if (unnamed && !unnamed.type.includes(' ')) return unnamed
  const value = messages.unsupportedValue.read(text)
  return value ? { field: value.field } : {}
}
