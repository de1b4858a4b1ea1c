/**
 * Request → response: match, parse, authenticate, begin, handle, commit, encode. The one place where
 * faults become envelopes. A door (Node, browser, test) maps its own requests to ApiRequest.
 */
import { operations, type OperationName } from '@purlin/contract/operations'
import type { OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { Invalid, parseStrings } from '@purlin/contract/validate'
import { encode } from '@purlin/contract/wire'
import type { Schema } from '@purlin/contract/schema'
import type { Actor } from './access.ts'
import type { Ctx, FreeCtx, LoopName, URLSearchParamsLike, World } from './context.ts'
import { UniqueViolation } from './db/engine.ts'
import type { TableName, Tx } from './db/tables.ts'
import { Fault, fault } from './faults.ts'
import { handlers } from './handlers.ts'
import { parseBody } from './json.ts'
import { effectiveSearch } from './pages.ts'
import { createRouter, type Match } from './router.ts'
import { createAuthenticator, tokenOf } from './sessions.ts'

export interface ApiRequest {
  method: string
  /** path with query, as sent */
  url: string
  header(name: string): string | null
  /** The body as text. Rejects with fault.bodyTooLarge past `limit` bytes. */
  text(limit: number): Promise<string>
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

export interface Dispatcher {
  dispatch(request: ApiRequest): Promise<ApiResponse>
  /** Authenticates and parses an upgrade request, then runs the operation's free handler. Throws Fault. */
  upgrade(request: ApiRequest): Promise<{ name: OperationName; ctx: FreeCtx; input: unknown }>
}

interface Hooks {
  wake(loop: LoopName): void
}
type AnyInput = { params?: unknown; query?: unknown; body?: unknown }
type AnyHandler = ((ctx: Ctx, input: AnyInput) => Promise<unknown>) | { free: (ctx: FreeCtx, input: AnyInput) => Promise<unknown> }

/** Makes the dispatcher of a world. */
export function createDispatcher(world: World, hooks: Hooks): Dispatcher {
  const route = createRouter(operations)
  const authenticate = createAuthenticator(world)
  const replies = createReplyCache()

  async function dispatch(request: ApiRequest): Promise<ApiResponse> {
    const requestId = world.ids.uuid()
    try {
      const { status, headers, body } = await answer(request, requestId)
      return { status, headers: { 'x-request-id': requestId, ...(body === null ? {} : json), ...headers }, body }
    } catch (error) {
      return refusal(world, error, { requestId, request })
    }
  }

  async function answer(request: ApiRequest, requestId: string): Promise<ApiResponse> {
    const [path = '', query = ''] = splitOnce(request.url, '?')
    const token = tokenOf(request.header('cookie'))
    const cacheable = request.method === 'GET' && token !== null && token !== ''
    if (cacheable) {
      const actor = await authenticate(token).catch(() => null)
      const known = actor && replies.get(actor, request.url)
      if (known) return known
    }
    const { match, input, search } = await read(request, path, query)
    if (match.op.ok === 'upgrade') throw fault.badUpgrade('expected connection upgrade')
    const free = freeContext({ request, requestId, match, search, token })
    const handler = handlers[match.name as OperationName] as AnyHandler
    if ('free' in handler) {
      const ctx = await free.context()
      const result = await handler.free(ctx, input)
      return reply(match.op, result, free.headers)
    }
    const actor = await free.actor()
    if (!actor) throw fault.unauthorized()
    const reads = new Set<TableName>()
    const changes = world.engine.changes
    const before = changes?.commits()
    const result = await free.run(actor, { mode: match.op.method === 'GET' ? 'read' : 'write', reads }, (ctx) => handler(ctx, input))
    const response = reply(match.op, result, free.headers)
    if (cacheable && changes && changes.commits() === before) {
      const seen = [...reads].map((table) => [table, changes.version(table)] as const)
      replies.set(actor, request.url, { response, fresh: () => seen.every(([table, version]) => changes.version(table) === version) })
    }
    return response
  }

  async function read(request: ApiRequest, path: string, query: string): Promise<{ match: Match; input: AnyInput; search: URLSearchParamsLike }> {
    const match = route(request.method, path)
    if (request.method !== 'GET') refuseForeignOrigin(request)
    const { op } = match
    const search = effectiveSearch(parseSearch(query))
    const input: AnyInput = {}
    if (op.query) input.query = strings(op.query, (key) => search.getAll(key), fault.badQuery)
    if (op.params) input.params = strings(op.params, (key) => [match.params[key] ?? ''], fault.badPath)
    if (request.method !== 'GET') {
      const text = await request.text(op.bodyLimit ?? limits.body)
      if (op.body) {
        requireJson(request.header('content-type'))
        input.body = parseBody(op.body, text)
      }
    }
    return { match, input, search }
  }

  function freeContext(at: { request: ApiRequest; requestId: string; match: Match; search: URLSearchParamsLike; token: string | null }) {
    const { request, requestId, match, search, token } = at
    const headers: Record<string, string> = {}
    const now = world.clock.now()
    const common = { world, op: match.op, requestId, now, search }

    async function actor(): Promise<Actor | null> {
      if (token !== null) {
        // Signing in and out must work with a stale cookie.
        if (match.op.allow === 'public') return authenticate(token).catch(() => null)
        return authenticate(token)
      }
      checkBearer(request.header('authorization'))
      if (match.op.allow !== 'public') throw fault.unauthorized()
      return null
    }

    async function run<T>(who: Actor, how: { mode: 'read' | 'write'; reads?: Set<TableName> }, work: (ctx: Ctx) => Promise<T>): Promise<T> {
      const woken = new Set<LoopName>()
      const value = await world.engine.transaction(
        how.mode,
        async (tx: Tx) => {
          woken.clear()
          const ctx: Ctx = { ...common, tx, actor: who, checked: false, wake: (loop) => woken.add(loop) }
          const result = await work(ctx)
          if (!ctx.checked) throw new Error(`${match.name} has checked nothing`)
          return result
        },
        how.reads,
      )
      for (const loop of woken) hooks.wake(loop)
      return value
    }

    async function context(): Promise<FreeCtx> {
      const who = await actor()
      return {
        ...common,
        actor: who,
        sessionToken: token,
        remote: request.remote,
        secure: request.secure,
        setHeader: (name, value) => (headers[name] = value),
        within: (mode, work) => {
          if (!who) throw fault.unauthorized()
          return run(who, { mode }, work)
        },
      }
    }
    return { headers, actor, run, context }
  }

  async function upgrade(request: ApiRequest): Promise<{ name: OperationName; ctx: FreeCtx; input: unknown }> {
    refuseForeignOrigin(request)
    const requestId = world.ids.uuid()
    const [path = '', query = ''] = splitOnce(request.url, '?')
    const { match, input, search } = await read(request, path, query)
    if (match.op.ok !== 'upgrade') throw fault.badUpgrade('this operation has no socket')
    const ctx = await freeContext({ request, requestId, match, search, token: tokenOf(request.header('cookie')) }).context()
    return { name: match.name as OperationName, ctx, input }
  }

  return { dispatch, upgrade }
}

const json = { 'content-type': 'application/json' }

function reply(op: OpShape, result: unknown, headers: Record<string, string>): ApiResponse {
  const status = op.ok === 'upgrade' ? 200 : op.ok
  return { status, headers, body: op.response ? JSON.stringify(encode(op.response, result)) : null }
}

/** The envelope of anything that was thrown. What is no fault is logged and told to nobody. */
export function refusal(world: World, error: unknown, at: { requestId: string; request: ApiRequest }): ApiResponse {
  const { requestId, request } = at
  const known = error instanceof Fault ? error : error instanceof UniqueViolation ? fault.conflict('a competing request has just taken the same value') : null
  const { status, code, message, headers } = known ?? fault.internal()
  if (!known) {
    const stack = error instanceof Error ? error.stack : String(error)
    world.log.error({ requestId, method: request.method, path: request.url.split('?')[0], stack }, 'request failed')
  }
  const envelope = { request_id: requestId, ...(code ? { error_code: code } : {}), message }
  return { status, headers: { 'x-request-id': requestId, ...json, ...headers }, body: JSON.stringify(envelope, null, 2) }
}

function strings<O>(schema: Schema<O, unknown>, get: (key: string) => readonly string[], refuse: (reason: string) => Fault): O {
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
  return { getAll: (name) => found.get(name) ?? [], has: (name) => found.has(name), keys: () => found.keys() }
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

function checkBearer(authorization: string | null): void {
  if (authorization === null) return
  const [scheme = '', value, more] = authorization.trim().split(/\s+/)
  if (scheme.toLowerCase() !== 'bearer') throw fault.badCredentials('unknown authentication scheme')
  if (value === undefined || more !== undefined) throw fault.badCredentials('malformed bearer token')
}

interface Remembered {
  response: ApiResponse
  fresh: () => boolean
}
const repliesPerActor = 200
const longestReply = 256 * 1024

/** Answers to reads, per actor, kept while no table they were made from has changed. */
function createReplyCache() {
  const byActor = new WeakMap<Actor, Map<string, Remembered>>()
  return {
    get(actor: Actor, url: string): ApiResponse | undefined {
      const known = byActor.get(actor)?.get(url)
      if (known?.fresh()) return known.response
      if (known) byActor.get(actor)?.delete(url)
      return undefined
    },
    set(actor: Actor, url: string, entry: Remembered): void {
      if ((entry.response.body?.length ?? 0) > longestReply) return
      const mine = byActor.get(actor) ?? new Map<string, Remembered>()
      byActor.set(actor, mine)
      const oldest = mine.keys().next()
      if (mine.size >= repliesPerActor && !oldest.done) mine.delete(oldest.value)
      mine.set(url, entry)
    },
  }
}
