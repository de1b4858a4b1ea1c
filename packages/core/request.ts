/** A request as every door hands it in, and what is read of it before anybody is authenticated. */
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import type { Schema } from '@purlin/contract/schema'
import { Invalid, parseStrings } from '@purlin/contract/validate'
import type { URLSearchParamsLike } from './context.ts'
import { type Fault, fault } from './faults.ts'
import { parseBody } from './json.ts'
import { effectiveSearch } from './pages.ts'
import type { Match } from './router.ts'

export interface ApiRequest {
  method: string
  /** path with query, as sent */
  url: string
  header(name: string): string | null
  /**
   * The body as text, or as UTF-8 where it came as bytes and has many of them. Rejects with
   * fault.bodyTooLarge past `limit` bytes.
   */
  body(limit: number): Promise<string | Uint8Array>
  /** address of the client */
  remote: string
  /** True behind TLS. */
  secure: boolean
}
export interface ApiResponse {
  status: number
  headers: Record<string, string>
  /** JSON text, or null for no body */
  body: string | null
}

/** The parsed parts of a request; an operation has those that it declares. */
export interface AnyInput {
  params?: unknown
  query?: unknown
  body?: unknown
}
/** A request whose operation is known and whose parts fit it. */
export interface Incoming {
  request: ApiRequest
  match: Match
  input: AnyInput
  search: URLSearchParamsLike
}

/** Matches and parses, in the order that clients rely on. Throws Fault. */
export async function readRequest(
  route: (method: string, path: string) => Match,
  request: ApiRequest,
): Promise<Incoming> {
  const [path, query] = splitOnce(request.url, '?')
  const match = route(request.method, path)
  const { op } = match
  if (request.method !== 'GET' || op.ok === 'upgrade') refuseForeignOrigin(request)
  const search = effectiveSearch(op, parseSearch(query))
  const input: AnyInput = {}
  if (op.query) input.query = strings(op.query, (key) => search.getAll(key), fault.badQuery)
  if (op.params) input.params = strings(op.params, (key) => [match.params[key] ?? ''], fault.badPath)
  if (request.method !== 'GET') await readBody(request, op, input)
  return { request, match, input, search }
}

async function readBody(request: ApiRequest, op: OpShape, input: AnyInput): Promise<void> {
  // Read even where no body is expected, so that an oversized one is refused.
  const body = await request.body(op.bodyLimit ?? limits.body)
  if (!op.body) return
  requireJson(request.header('content-type'))
  input.body = parseBody(op.body, body)
}

function strings<O>(
  schema: Schema<O, unknown>,
  get: (key: string) => readonly string[],
  refuse: (reason: string) => Fault,
): O {
  try {
    return parseStrings(schema, get)
  } catch (error) {
    if (!(error instanceof Invalid)) throw error
    throw refuse(error.where ? `${error.where}: ${error.message}` : error.message)
  }
}

function splitOnce(text: string, by: string): [string, string] {
  const at = text.indexOf(by)
  return at < 0 ? [text, ''] : [text.slice(0, at), text.slice(at + 1)]
}

/** A query string as a map of lists. Throws 400 for broken percent-encoding. */
export function parseSearch(query: string): URLSearchParamsLike {
  const found = new Map<string, string[]>()
  for (const pair of query === '' ? [] : query.split('&')) {
    const [key, value] = splitOnce(pair, '=').map(decodePart) as [string, string]
    found.set(key, [...(found.get(key) ?? []), value])
  }
  return { getAll: (name) => found.get(name) ?? [], has: (name) => found.has(name) }
}

function decodePart(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    throw fault.badQuery('malformed percent-encoding')
  }
}

function requireJson(contentType: string | null): void {
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? 'application/json'
  if (type !== 'application/json') throw fault.badContentType(type)
}

// Browsers send Origin with every request that could change something from another site.
function refuseForeignOrigin(request: ApiRequest): void {
  const origin = request.header('origin')
  const host = request.header('host')
  if (origin === null || host === null) return
  if (origin.replace(/^https?:\/\//, '') !== host) throw fault.foreignOrigin()
}

/** Refuses what is no bearer token. Throws 400. */
export function checkBearer(authorization: string | null): void {
  if (authorization === null) return
  const [scheme = '', value, more] = authorization.trim().split(/\s+/)
  if (scheme.toLowerCase() !== 'bearer') throw fault.badCredentials('unknown authentication scheme')
  if (value === undefined || more !== undefined) throw fault.badCredentials('malformed bearer token')
}
