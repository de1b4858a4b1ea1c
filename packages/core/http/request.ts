/** Reads the parts of a request that come before authentication. */
import type { ApiRequest } from '@purlin/contract/http'
import { isReading, type OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { quoted } from '@purlin/contract/rules/messages'
import type { Schema } from '@purlin/contract/schema'
import { mediaTypes } from '@purlin/contract/schemas/media-types'
import { bytesOf, utf8 } from '#/bytes.ts'
import type { FairQueue } from '#/concurrency/fair-queue.ts'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import type { Actor, Ctx, RequestContext } from '#/context.ts'
import { type Fault, fault } from '#/faults.ts'
import { parseSearch, splitOnce, type URLSearchParamsLike } from '#/query-string.ts'
import { parseBody, parseLongBody } from './json.ts'
import { effectiveSearch } from '#/db/lists/page-token.ts'
import type { Match } from './router.ts'
import { Invalid, parseStrings } from './validate.ts'

/** The parsed parts of a request; an operation has those that it declares. */
export interface AnyInput {
  params?: unknown
  query?: unknown
  body?: unknown
}
/** A handler as the dispatcher calls it. */
export type Work = (ctx: Ctx, input: AnyInput) => Promise<unknown>
export type AnyHandler =
  | Work
  | { withoutTransaction: (ctx: RequestContext, input: AnyInput) => Promise<unknown> }

/** The sender of a request, as known at a time before its body was read; null without a valid session. */
export interface Sender {
  actor: Actor | null
  at: number
}

/** The operation and input in the method and address of a request. */
interface Address {
  match: Match
  input: Readonly<AnyInput>
  search: URLSearchParamsLike
}

/** A request whose operation is known and whose parts fit it. */
export interface Incoming extends Address {
  request: ApiRequest
  /** Null for a request without a body. */
  sender: Sender | null
}

/** How requests are read. */
export interface Reader {
  route: (method: string, path: string) => Match
  /** Reads an address that GET is sent to. */
  readGet: (url: string) => Address
  /** Throws if the session cannot be read. */
  senderOf: (request: ApiRequest, op: OpShape) => Promise<Sender>
  fairQueue: FairQueue | undefined
}

const strangers = 'strangers'
/** A longer body takes milliseconds to parse. */
const longBody = 128 * 1024

/** Matches and parses, in the order that clients rely on. Throws Fault. */
export async function readRequest(reader: Reader, request: ApiRequest): Promise<Incoming> {
  const { method, url } = request
  const isGet = method === 'GET'
  const { match, search, input: fixed } = isGet ? reader.readGet(url) : readUrl(reader.route, method, url)
  const { op } = match
  if (request.logged) request.logged['operation'] = match.name
  const isRead = isReading(method)
  if ((!isRead || op.ok === 'upgrade') && !op.allowsForeignOrigin) refuseForeignOrigin(request)
  if (isRead) return { request, match, input: fixed, search, sender: null }
  const input: AnyInput = { ...fixed }
  const sender = await reader.senderOf(request, op)
  if (op.streamsBody) {
    // Only a handler reads such a body, and only of a caller with a session.
    if (!sender.actor) throw fault.unauthorized()
    refuseEncoding(request.headers['content-encoding'])
    requireType(op, request.headers['content-type'])
    input.body = streamOf(request, op, sender)
    return { request, match, input, search, sender }
  }
  // Read even where no body is expected, so that an oversized one is refused.
  const body = await bodyOf(request, op, sender)
  // Many bodies may end at the same moment. Those who have not signed in share one turn, from wherever they come.
  await reader.fairQueue?.(sender.actor?.userId ?? strangers)
  if (op.body) {
    refuseEncoding(request.headers['content-encoding'])
    requireType(op, request.headers['content-type'])
    input.body = await parsedBody(op.body, op.bodyType, body)
  }
  return { request, match, input, search, sender }
}

/** The body by its media type. Bytes are as they came: their limit is that of the body. */
function parsedBody(
  schema: Schema<unknown, unknown>,
  type: OpShape['bodyType'],
  body: string | Uint8Array,
): unknown {
  if (type === mediaTypes.form) return parseForm(schema, body)
  if (type === mediaTypes.bytes) return typeof body === 'string' ? bytesOf(body) : body
  return body.length > longBody ? parseLongBody(schema, body) : parseBody(schema, body)
}

const rememberedAddresses = 1000

/** Parses addresses of GET with a cache: all clients of a page send the same ones repeatedly. */
export const createGetReader = (route: Reader['route']): Reader['readGet'] =>
  memoizeRecent(rememberedAddresses, (url) => {
    const read = readUrl(route, 'GET', url)
    for (const part of [read.input, read.input.params, read.input.query]) Object.freeze(part)
    return read
  })

function readUrl(route: Reader['route'], method: string, url: string): Address {
  const [path, query] = splitOnce(url, '?')
  const match = route(method, path)
  const { op } = match
  const search = effectiveSearch(op, parseSearch(query))
  const input: AnyInput = {}
  if (op.query) input.query = strings(op.query, (key) => search.getAll(key), fault.badQuery)
  if (op.params) input.params = strings(op.params, (key) => [match.params[key] ?? ''], fault.badPath)
  return { match, input, search }
}

/** The body. Its limit is low before the session is known. */
async function bodyOf(request: ApiRequest, op: OpShape, { actor }: Sender): Promise<string | Uint8Array> {
  if (typeof request.body !== 'function') return request.body ?? ''
  const most = op.bodyLimit ?? limits.body
  const limit = actor ? most : Math.min(most, limits.bodyOfStrangers)
  // The request lacks a session, unless it needs none.
  const isShortened = limit < most && op.allow !== 'public'
  const beyond = isShortened ? fault.unauthorized : () => fault.bodyTooLarge(limit)
  return request.body({ limit, beyond, userId: actor?.userId ?? null })
}

/** The bytes of the body while they arrive. Where it came at once, it is one piece. */
async function* streamOf(request: ApiRequest, op: OpShape, sender: Sender): AsyncIterable<Uint8Array> {
  const limit = op.bodyLimit ?? limits.body
  const beyond = () => fault.bodyTooLarge(limit)
  if (request.stream) return yield* request.stream({ limit, beyond, userId: sender.actor?.userId ?? null })
  const whole = await bodyOf(request, op, sender)
  if (whole.length > limit) throw beyond()
  yield typeof whole === 'string' ? bytesOf(whole) : whole
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
    throw refuse(error.where ? `${quoted(error.where)}: ${error.message}` : error.message)
  }
}

function formText(body: Uint8Array): string {
  try {
    return utf8(body)
  } catch {
    throw fault.badForm('invalid UTF-8')
  }
}

/** A form has no more fields than a query may have. */
function parseForm<O>(schema: Schema<O, unknown>, body: string | Uint8Array): O {
  const fields = parseSearch(typeof body === 'string' ? body : formText(body), fault.badForm)
  return strings(schema, (key) => fields.getAll(key), fault.badForm)
}

// RFC 9110, section 8.4: `identity` means no encoding.
function refuseEncoding(encoding = 'identity'): void {
  if (!/^(?:identity)?$/i.test(encoding.trim())) throw fault.badContentEncoding(encoding)
}

function requireType(
  { bodyType: expected = mediaTypes.json, anyBodyType }: OpShape,
  contentType: string | undefined,
): void {
  if (anyBodyType) return
  const type = contentType?.split(';')[0]?.trim().toLowerCase() ?? expected
  // RFC 7644, section 3.1: SCIM is JSON.
  const isOther = type !== expected && !(expected === mediaTypes.scim && type === mediaTypes.json)
  if (isOther) throw fault.badContentType(type, expected)
}

/** How pages of other sites, and of other hosts of the same domain, send requests. */
const foreignSites = new Set(['cross-site', 'same-site'])

// Browsers send Origin with every cross-site request that could change something, unless an extension removes it.
function refuseForeignOrigin({ headers, secure, publicOrigin }: ApiRequest): void {
  const origin = headers['origin']?.toLowerCase()
  const host = headers['host']?.toLowerCase()
  if (origin === undefined && foreignSites.has(headers['sec-fetch-site'] ?? '')) throw fault.foreignOrigin()
  if (origin === undefined || host === undefined || origin === publicOrigin) return
  if (origin !== `${secure ? 'https' : 'http'}://${host}`) throw fault.foreignOrigin()
}
