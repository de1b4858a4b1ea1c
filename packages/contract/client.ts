/** The typed client: encodes by the operation's definition, sends, decodes, throws ApiError. */
import type { AbortSignalLike, Transport } from './http.ts'
import type { Args, OpShape, Result } from './op.ts'
import type { Entry } from './rules/messages.ts'
import { decode, encodeIn, snake } from './wire.ts'
import { bare, type Schema } from './schema.ts'
import { mediaTypes } from './schemas/media-types.ts'

/** Details of a failed call. */
export interface ApiFailure {
  message: string
  code?: string | undefined
  requestId?: string | undefined
  url?: string | undefined
  resource?: string | undefined
  entry?: Entry | undefined
}

/** A failed call. `message` is the server's own; `code` its error code, if any. */
export class ApiError extends Error {
  override name = 'ApiError'
  readonly status: number
  readonly code: string | undefined
  readonly requestId: string | undefined
  /** Name of the operation as the caller gave it, e.g. `diskCreate`. */
  readonly operation: string
  /** Path and query of the request. */
  readonly url: string | undefined
  /** Type of the resource that the operation answers with, e.g. `vpc-subnet`. */
  readonly resource: string | undefined
  /** The entry of a list in the request that is wrong, where the server says so. */
  readonly entry: Entry | undefined
  constructor(
    operation: string,
    status: number,
    { message, code, requestId, url, resource, entry }: ApiFailure,
  ) {
    super(message)
    this.operation = operation
    this.status = status
    this.code = code
    this.requestId = requestId
    this.url = url
    this.resource = resource
    this.entry = entry
  }
}

/** One call: the operation under its name, and its parts. */
export interface Call<O extends OpShape> {
  name: string
  op: O
  args: Args<O>
  signal?: AbortSignalLike | undefined
  /** Fails with 412 unless the resource still has this entity tag. */
  ifMatch?: string | undefined
}

/** The arguments of any operation: what it does not declare is absent. */
export const partsOf = (args: unknown) => args as Parts
interface Parts {
  params?: Record<string, unknown>
  query?: Record<string, unknown>
  body?: unknown
}

/**
 * The first of the parameters of a path that no URL keeps, with the reason to refuse it: `..` would take the segment before it
 * away, so that the path would be that of another operation.
 */
export function noName(
  params: Readonly<Record<string, unknown>> = {},
): [key: string, refusal: string] | undefined {
  const found = Object.entries(params).find(([, value]) => ['', '.', '..'].includes(String(value)))
  return found && [found[0], `"${String(found[1])}" cannot be a name`]
}

/** Path and query of a call, e.g. for a WebSocket. */
export function urlOf<O extends OpShape>(op: O, args: Args<O>): string {
  const { params, query } = partsOf(args)
  const path = op.path.replace(/\{(\w+)\}/g, (_, name: string) => {
    const value = Object.entries(params ?? {}).find(([key]) => snake(key) === name)?.[1]
    return encodeURIComponent(String(value))
  })
  const search = op.query && query ? searchOf(op.query, query) : ''
  return search ? `${path}?${search}` : path
}

const searchOf = (schema: Schema<unknown, unknown>, query: unknown): string =>
  searchText(encodeIn(schema, query) as Record<string, unknown>)

/** A query, or a form, of values as they are on the wire. Null and undefined are left out. */
export function searchText(query: Readonly<Record<string, unknown>>): string {
  const pairs = Object.entries(query).flatMap(([key, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((item) => item !== null && item !== undefined)
      .map((item) => `${encodeURIComponent(key)}=${encodeURIComponent(String(item))}`),
  )
  return pairs.join('&')
}

function encodedBody(
  { body: schema, bodyType }: OpShape & { body: Schema<unknown, unknown> },
  body: unknown,
): string | Uint8Array<ArrayBuffer> {
  if (bodyType === mediaTypes.form) return searchOf(schema, body)
  return bodyType === mediaTypes.bytes
    ? (body as Uint8Array<ArrayBuffer>)
    : JSON.stringify(encodeIn(schema, body))
}

const hasBody = <O extends OpShape>(op: O): op is O & { body: Schema<unknown, unknown> } =>
  op.body !== undefined

/** Calls one operation. Throws ApiError for every answer that is not a success. */
export const call = async <O extends OpShape>(transport: Transport, one: Call<O>): Promise<Result<O>> =>
  (await callTagged(transport, one)).value

/** The same, with the entity tag of the answer, if it has one. */
export async function callTagged<O extends OpShape>(
  transport: Transport,
  { name, op, args, signal, ifMatch }: Call<O>,
): Promise<{ value: Result<O>; tag: string | undefined }> {
  const { params, body } = partsOf(args)
  const url = urlOf(op, args)
  const [key, refusal] = noName(params) ?? []
  if (key !== undefined) throw new ApiError(name, 400, { message: `${snake(key)}: ${refusal}`, url })
  const response = await transport({
    method: op.method,
    url,
    headers: {
      'content-type': op.bodyType ?? mediaTypes.json,
      ...(ifMatch === undefined ? {} : { 'if-match': ifMatch }),
    },
    ...(hasBody(op) ? { body: encodedBody(op, body) } : {}),
    ...(signal ? { signal } : {}),
  })
  const text = response.body ?? ''
  const ok = response.status >= 200 && response.status < 300
  const context = { url, resource: resourceOf(op), requestId: response.headers['x-request-id'] }
  if (!ok) throw new ApiError(name, response.status, { ...context, ...errorBody(text) })
  const tag = response.headers['etag']
  if (!op.response) return { value: undefined as Result<O>, tag }
  try {
    return { value: decode(op.response, JSON.parse(text)) as Result<O>, tag }
  } catch {
    throw new ApiError(name, response.status, { ...context, message: 'Error reading API response' })
  }
}

// An operation that creates a disk answers with the schema `Disk`.
function resourceOf({ response }: OpShape): string | undefined {
  return response?.node.kind === 'ref' ? snake(response.node.name).replaceAll('_', '-') : undefined
}

function entryOf(wire: unknown): Entry | undefined {
  const { list, index, name } = (wire ?? {}) as Partial<Entry>
  return typeof list === 'string' && typeof index === 'number' && typeof name === 'string'
    ? { list, index, name }
    : undefined
}

/** The parts of an error's envelope. */
export function errorBody(text: string): Pick<ApiFailure, 'message' | 'code' | 'requestId' | 'entry'> {
  try {
    const wire = JSON.parse(text) as Record<string, unknown>
    const message = typeof wire['message'] === 'string' ? wire['message'] : ''
    const code = wire['error_code']
    const requestId = wire['request_id']
    return {
      message,
      ...(typeof code === 'string' ? { code } : {}),
      ...(typeof requestId === 'string' ? { requestId } : {}),
      entry: entryOf(wire['entry']),
    }
  } catch {
    return { message: 'Error reading API response' }
  }
}

type NoArgs = Record<never, never>
/** Every operation as a method: `client.diskList({ query: { project } })`. */
export type Client<Ops extends Record<string, OpShape>> = {
  [K in keyof Ops]: NoArgs extends Args<Ops[K]>
    ? (args?: Args<Ops[K]>, signal?: AbortSignalLike) => Promise<Result<Ops[K]>>
    : (args: Args<Ops[K]>, signal?: AbortSignalLike) => Promise<Result<Ops[K]>>
}

/** Makes the client of a table of operations. */
export function createClient<Ops extends Record<string, OpShape>>(
  ops: Ops,
  transport: Transport,
): Client<Ops> {
  const methods = Object.entries(ops).map(([name, op]) => [
    name,
    (args: unknown = {}, signal?: AbortSignalLike) => call(transport, { name, op, args: args, signal }),
  ])
  return Object.fromEntries(methods) as Client<Ops>
}

/** True if the response of this operation is a page of items. */
export function isPaged(op: OpShape): boolean {
  const node = op.response ? bare(op.response.node) : undefined
  return node?.kind === 'object' && node.fields.some((f) => f.key === 'nextPage')
}
