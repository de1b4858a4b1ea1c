/**
 * An operation with its arguments as text: the command of the command line, and the request over HTTP. What the text
 * of a command gives is read back by the flags of the same operation.
 */
import type { Args, OpShape } from '../op.ts'
import { partsOf } from '../client.ts'
import { operations, type OperationName, type Operations } from '../operations.ts'
import { mediaTypes } from '../schemas/media-types.ts'
import { encodeIn, snake } from '../wire.ts'
import { bare, type Node } from '../schema.ts'
import { documentOf, type Names } from './documents.ts'
import { fieldsOf, flagsOf, type Flag } from './flags.ts'
import { printableInQuotes, printableJson } from './printable.ts'
import { draftOf, type WireArgs } from './request.ts'
import { textsOf } from './values.ts'
import { wordsOf } from './words.ts'
import { yamlText } from './yaml.ts'

/** Arguments of the typed client as they are on the wire. */
export function wireArgs<N extends OperationName>(name: N, args: Args<Operations[N]>): WireArgs {
  const op: OpShape = operations[name]
  const { params, query, body } = partsOf(args)
  const isBytes = op.bodyType === mediaTypes.bytes
  return {
    ...(params
      ? { params: Object.fromEntries(Object.entries(params).map(([key, value]) => [snake(key), value])) }
      : {}),
    ...(op.query && query ? { query: encodeIn(op.query, query) as Record<string, unknown> } : {}),
    ...(op.body && body !== undefined && !isBytes ? { body: encodeIn(op.body, body) } : {}),
  }
}

/** The words of a command, each as the command line gets it, and the document for its standard input, if it has one. */
export interface CommandWords {
  words: string[]
  input?: string
}

/**
 * The words of the command that calls an operation. A body that no flags can give is its standard input; bytes come
 * from the file of the placeholder `FILE`, or go to it.
 */
export function commandWords(name: OperationName, args: WireArgs): CommandWords {
  const op: OpShape = operations[name]
  const flags = flagsOf(op, name)
  const given = (part: Flag['part']) => wordsOfPart(flags, part, args[part])
  const output = op.streams?.includes(mediaTypes.zip) ? ['--output', 'FILE'] : []
  const own = [...wordsOf(name), ...(given('params') ?? []), ...(given('query') ?? []), ...output]
  if (op.bodyType === mediaTypes.bytes) return { words: ['purlin', ...own, '--file', 'FILE'] }
  const body = args.body === undefined ? [] : given('body')
  if (body) return { words: ['purlin', ...own, ...body] }
  return { words: ['purlin', ...own, '--file', '-'], input: JSON.stringify(args.body, null, 2) }
}

/** The flags for the values of a part; undefined if they cannot give all of them. */
function wordsOfPart(flags: readonly Flag[], part: Flag['part'], value: unknown): string[] | undefined {
  const own = flags.filter((flag) => flag.part === part)
  const whole = own.find(({ path }) => path.length === 0)
  if (whole) return wordsOfFlag(whole, value)
  if (value === undefined) return []
  const words: string[] = []
  for (const [key, inner] of Object.entries(value as object)) {
    const found = wordsOfField(
      own.filter(({ path }) => path[0] === key),
      inner,
    )
    if (!found) return undefined
    words.push(...found)
  }
  return words
}

/** An object is given by flags for its fields where each has one, so that a person can read them. */
function wordsOfField(flags: readonly Flag[], value: unknown): string[] | undefined {
  const flag = flags.find(({ path }) => path.length === 1)
  if (!flag) return undefined
  const entries = typeof value === 'object' && value !== null && !flag.isList ? Object.entries(value) : []
  const nested = entries.map(([key, inner]) => {
    const of = flags.find(({ path }) => path[1] === key)
    return of && wordsOfFlag(of, inner)
  })
  const isWhole = nested.length === 0 || nested.includes(undefined)
  return isWhole ? wordsOfFlag(flag, value) : nested.flatMap((words) => words ?? [])
}

function wordsOfFlag(flag: Flag, value: unknown): string[] | undefined {
  if (value === undefined) return []
  const texts = textsOf(flag, value)
  if (texts === undefined) return undefined
  if (texts === false) return [`--no-${flag.name}`]
  if (flag.node.kind === 'boolean' && texts[0] === 'true') return [`--${flag.name}`]
  const isJoined = flag.node.kind === 'boolean'
  return texts.flatMap((text) =>
    isJoined || text.startsWith('-') ? [`--${flag.name}=${text}`] : [`--${flag.name}`, text],
  )
}

/** A word as a POSIX shell reads it, without anything that a terminal would carry out when the word is pasted. */
export const quoted = (word: string): string =>
  /^[\w%+=:,./@-]+$/.test(word) ? word : `'${printableInQuotes(word.replaceAll("'", `'\\''`))}'`

// No text has this character.
const hidden = '\u{e000}'

/** A value on the wire without its secrets. */
function withoutSecrets(node: Node, value: unknown): unknown {
  const inner = node.kind === 'nullable' ? bare(node.inner) : bare(node)
  if (value === null || value === undefined) return value
  if (inner.kind === 'string') return inner.isSecret ? hidden : value
  if (inner.kind === 'array' && Array.isArray(value))
    return value.map((item) => withoutSecrets(inner.item, item))
  if (typeof value !== 'object' || Array.isArray(value)) return value
  const fields = new Map(fieldsOf(inner).map((field) => [field.wire, field.node]))
  const entries = Object.entries(value).map(([key, one]) => {
    const field = fields.get(key)
    return [key, field ? withoutSecrets(field, one) : one]
  })
  return Object.fromEntries(entries)
}

/** Arguments without their secrets. */
function shown(op: OpShape, { params, query, body }: WireArgs): WireArgs {
  const cleared = (part: Flag['part'], value: unknown) => {
    const schema = op[part]
    return schema ? withoutSecrets(schema.node, value) : value
  }
  return {
    ...(params ? { params } : {}),
    ...(query ? { query: cleared('query', query) as Record<string, unknown> } : {}),
    body: cleared('body', body),
  }
}

/**
 * The line that a person pastes into a shell. Secrets are in files, whose names replace `FILE`: a shell keeps its lines,
 * and every user sees them in the list of processes.
 */
export function commandText(name: OperationName, args: WireArgs): string {
  const { words, input } = commandWords(name, shown(operations[name], args))
  const line = words.map((word) => quoted(word.replaceAll(hidden, '@FILE'))).join(' ')
  return input === undefined
    ? line
    : `${line} <<'END'\n${printableJson(input).replaceAll(hidden, 'SECRET')}\nEND`
}

/** The document that `purlin apply` reads, with placeholders for secrets. Throws NoDocument. */
export const documentText = (name: OperationName, args: WireArgs, names?: Names): string =>
  yamlText(documentOf(name, shown(operations[name], args), names)).replaceAll(hidden, 'SECRET')

/** The request as a message of HTTP/1.1, with placeholders for the token and for secrets. */
export function requestText(name: OperationName, args: WireArgs, host: string): string {
  const { method, url, headers, body } = draftOf(operations[name], shown(operations[name], args))
  const lines = [`${method} ${url} HTTP/1.1`, `Host: ${host}`, 'Authorization: Bearer $PURLIN_TOKEN']
  const type = headers['content-type']
  if (type !== undefined) lines.push(`Content-Type: ${type}`)
  const text = [...lines, '', ...(body === undefined ? [] : [pretty(body, type)])].join('\n')
  return text.replaceAll(hidden, 'SECRET').replaceAll(encodeURIComponent(hidden), 'SECRET')
}

function pretty(body: string, type: string | undefined): string {
  return type === mediaTypes.form ? body : printableJson(JSON.stringify(JSON.parse(body), null, 2))
}
