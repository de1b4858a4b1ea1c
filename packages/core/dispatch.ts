/**
 * Request → response: match, parse, authenticate, begin, handle, commit, encode. The one place where
 * faults become envelopes. A door (Node, browser, test) maps its own requests to ApiRequest.
 */
import { operations, type OperationName } from '@purlin/contract/operations'
import { createConditions } from './conditions.ts'
import type { Ctx, FreeCtx, LoopName, World } from './context.ts'
import { traced } from './db/engine.ts'
import { openExchange, type Desk, type Exchange } from './exchange.ts'
import { fault } from './faults.ts'
import { handlers } from './handlers.ts'
import { createReplyCache, jsonHeaders, refusal, replyOf } from './replies.ts'
import { readRequest, type AnyInput, type ApiRequest, type ApiResponse, type Incoming } from './request.ts'
import { createRouter } from './router.ts'
import { createAuthenticator, tokenOf } from './sessions.ts'

export type { ApiRequest, ApiResponse } from './request.ts'

export interface Dispatcher {
  dispatch: (request: ApiRequest) => Promise<ApiResponse>
  /** Authenticates and parses an upgrade request, for its operation's own function to go on. Throws Fault. */
  upgrade: (request: ApiRequest) => Promise<{ name: OperationName; ctx: FreeCtx; input: unknown }>
}

type Work = (ctx: Ctx, input: AnyInput) => Promise<unknown>
type AnyHandler = Work | { free: (ctx: FreeCtx, input: AnyInput) => Promise<unknown> }

/** Makes the dispatcher of a world. */
export function createDispatcher(world: World, hooks: { wake: (loop: LoopName) => void }): Dispatcher {
  const route = createRouter(operations)
  const desk: Desk = { world, authenticate: createAuthenticator(world), wake: hooks.wake }
  const replies = createReplyCache()
  const conditions = createConditions(world, {
    operations,
    route,
    handlerOf: (name) => {
      const handler = handlers[name as OperationName] as AnyHandler
      return 'free' in handler ? undefined : handler
    },
  })

  async function dispatch(request: ApiRequest): Promise<ApiResponse> {
    const requestId = world.ids.uuid()
    try {
      const { status, headers, body } = (await remembered(request)) ?? (await answer(request, requestId))
      return {
        status,
        headers: { 'x-request-id': requestId, ...(body === null ? {} : jsonHeaders), ...headers },
        body,
      }
    } catch (error) {
      return refusal(world, error, { requestId, request })
    }
  }

  /** An answer given before to the same person, if nothing it was made from has changed since. */
  async function remembered(request: ApiRequest): Promise<ApiResponse | undefined> {
    const token = request.method === 'GET' ? tokenOf(request.header('cookie')) : null
    if (!token) return undefined
    const actor = await desk.authenticate(token).catch(() => null)
    return actor ? replies.get(actor, request.url) : undefined
  }

  async function answer(request: ApiRequest, requestId: string): Promise<ApiResponse> {
    const incoming = await readRequest(route, request)
    const { match, input } = incoming
    if (match.op.ok === 'upgrade') throw fault.badUpgrade('expected connection upgrade')
    const exchange = openExchange(desk, incoming, requestId)
    const handler = handlers[match.name as OperationName] as AnyHandler
    if (!('free' in handler)) return within(exchange, incoming, handler)
    const result = await handler.free(await exchange.freeContext(), input)
    return replyOf(match.op, result, exchange.headers)
  }

  async function within(exchange: Exchange, incoming: Incoming, work: Work): Promise<ApiResponse> {
    const { request, match, input } = incoming
    const actor = await exchange.actor()
    if (!actor) throw fault.unauthorized()
    const isRead = match.op.method === 'GET'
    const mode = isRead ? 'read' : 'write'
    const condition = await conditions.before(incoming)
    const { value, fresh } = await traced(world.engine, (reads) =>
      exchange.run(actor, { mode, reads }, async (ctx) => {
        await condition?.(ctx)
        return work(ctx, input)
      }),
    )
    const reply = replyOf(match.op, value, exchange.headers)
    const response = isRead ? conditions.tagged(match.op, reply) : reply
    if (isRead && fresh) replies.set(actor, request.url, { response, fresh })
    return response
  }

  async function upgrade(
    request: ApiRequest,
  ): Promise<{ name: OperationName; ctx: FreeCtx; input: unknown }> {
    const incoming = await readRequest(route, request)
    const { match, input } = incoming
    if (match.op.ok !== 'upgrade') throw fault.badUpgrade('this operation has no socket')
    const ctx = await openExchange(desk, incoming, world.ids.uuid()).freeContext()
    return { name: match.name as OperationName, ctx, input }
  }

  return { dispatch, upgrade }
}
