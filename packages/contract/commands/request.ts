/** The request of an operation, made of values as they are on the wire. */
import { noName, searchText } from '../client.ts'
import type { Method, OpShape } from '../op.ts'
import { mediaTypes } from '../schemas/media-types.ts'
import { jsonText } from '../wire.ts'
import type { Part } from './flags.ts'
import { FlagError } from './values.ts'
import { flagWord } from './words.ts'

/** The arguments of an operation by their names on the wire. A body may be any JSON, or bytes. */
export interface WireArgs {
  params?: Readonly<Record<string, unknown>>
  query?: Readonly<Record<string, unknown>>
  body?: unknown
}

/** A request before it is sent to a host. */
export interface WireRequest {
  method: Method
  url: string
  headers: Record<string, string>
  body?: string
}

/**
 * The request of an operation. A body of bytes is sent apart from it, and has only its media type here. Throws FlagError for
 * a value that would make the path that of another operation.
 */
export function requestOf(op: OpShape, args: WireArgs): WireRequest {
  const [key, refusal] = noName(args.params) ?? []
  if (key !== undefined) throw new FlagError(`--${flagWord(key)}: ${refusal}`)
  return draftOf(op, args)
}

/** The same of values that may still be wrong or missing, to be shown and not sent. */
export function draftOf(op: OpShape, { params = {}, query = {}, body }: WireArgs): WireRequest {
  const path = op.path.replace(/\{(\w+)\}/g, (_, key: string) => encodeURIComponent(String(params[key])))
  const search = searchText(query)
  const type = op.bodyType ?? mediaTypes.json
  return {
    method: op.method,
    url: search ? `${path}?${search}` : path,
    headers: op.body ? { 'content-type': type } : {},
    ...(op.body && type !== mediaTypes.bytes ? { body: bodyText(type, body) } : {}),
  }
}

const bodyText = (type: string, body: unknown): string =>
  type === mediaTypes.form ? searchText((body ?? {}) as Record<string, unknown>) : jsonText(body ?? {})

/** Puts a value at its place among the arguments. */
export function put(
  args: { [P in Part]?: unknown },
  { part, path }: { part: Part; path: readonly string[] },
  value: unknown,
): void {
  const [first, second] = path
  if (first === undefined) {
    args[part] = value
    return
  }
  const outer = objectIn(args, part)
  if (second === undefined) outer[first] = value
  else objectIn(outer, first)[second] = value
}

function objectIn(outer: Record<string, unknown>, key: string): Record<string, unknown> {
  const found = outer[key]
  const inner = typeof found === 'object' && found !== null ? (found as Record<string, unknown>) : {}
  outer[key] = inner
  return inner
}
