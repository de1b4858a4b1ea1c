/**
 * Request → response: match, parse, authenticate, begin, handle, commit, encode. Faults become error
 * envelopes only here. Each front end (Node, browser, test) maps its own requests to ApiRequest.
 */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { operations, type OperationName } from '@purlin/contract/operations'
import { clientOf } from '#/auth/client-of.ts'
import { createEvents } from '#/events/events.ts'
import { createConditions } from './conditions.ts'
import type { AskAs, Waking, RequestContext, World } from '#/context.ts'
import { OutcomeUnknown } from '#/db/engine.ts'
import type { Tx } from '#/db/tables.ts'
import { serializeCharges } from '#/resources/metrics/serialize-charges.ts'
import { openRequestContext, type RequestEnvironment, senderOf } from './request-context.ts'
import { fault } from '#/faults.ts'
import { handlers } from './handlers.ts'
import { jsonHeaders, errorReply, failureOf, ownReplyOf, replyOf } from './replies.ts'
import { createScopes } from './scopes.ts'
import {
  createGetReader,
  readRequest,
  type AnyHandler,
  type Incoming,
  type Reader,
  type Work,
} from './request.ts'
import { createRouter } from './router.ts'

export interface Dispatcher {
  dispatch: (request: ApiRequest) => Promise<ApiResponse>
  /** Authenticates and parses an upgrade request; the operation's own function does the rest. Throws Fault. */
  upgrade: (request: ApiRequest) => Promise<{ name: OperationName; ctx: RequestContext; input: unknown }>
  /** Answers an internal request of a known actor. */
  dispatchAs: AskAs
}

const handlerOf = (name: string) => handlers[name as OperationName] as AnyHandler

function transactionalHandler(name: string): Work | undefined {
  const handler = handlerOf(name)
  return 'withoutTransaction' in handler ? undefined : handler
}

function readerOf(world: World): Reader {
  const route = createRouter(operations)
  return {
    route,
    readGet: createGetReader(route),
    senderOf: (request) => senderOf(world, request),
    fairQueue: world.fairQueue,
  }
}

/** Runs a request, and records its failure in the audit log. */
async function recorded<T>({ audit }: RequestContext, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    await audit.failed(error instanceof OutcomeUnknown ? null : failureOf(error))
    throw error
  }
}

function environmentOf(
  world: World,
  reader: Reader,
  { wake, askAs }: Pick<RequestEnvironment, 'wake' | 'askAs'>,
): RequestEnvironment {
  const open = (incoming: Incoming) => openRequestContext(environment, incoming, world.ids.uuid())
  const events = createEvents(world, createScopes({ world, reader, handlerOf, open }))
  const environment: RequestEnvironment = { world, wake, askAs, events }
  return environment
}

interface DispatchContext {
  world: World
  reader: Reader
  environment: RequestEnvironment
}
type AfterWork = Parameters<AskAs>[2]

/** Answers a request that was not sent. */
async function answerAs(
  { world, reader, environment }: DispatchContext,
  [actor, request, after]: Parameters<AskAs>,
  handle: (ctx: RequestContext, incoming: Incoming, after: AfterWork) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const requestId = world.ids.uuid()
  const sender = { actor, at: world.clock.now() }
  try {
    const incoming = await readRequest({ ...reader, senderOf: () => Promise.resolve(sender) }, request)
    const ctx = await openRequestContext(environment, { ...incoming, sender }, requestId)
    return await recorded(ctx, () => handle(ctx, incoming, after))
  } catch (error) {
    return errorReply(world, error, { requestId, request })
  }
}

async function openUpgrade(
  { world, reader, environment }: DispatchContext,
  request: ApiRequest,
): ReturnType<Dispatcher['upgrade']> {
  const incoming = await readRequest(reader, request)
  const { match, input } = incoming
  if (match.op.ok !== 'upgrade') throw fault.badUpgrade('this operation has no socket')
  const ctx = await openRequestContext(environment, incoming, world.ids.uuid())
  return { name: match.name as OperationName, ctx, input }
}

/** The work with something after it in its transaction. */
const followedBy =
  (work: Work, after: (tx: Tx) => Promise<void>): Work =>
  async (ctx, input) => {
    const value = await work(ctx, input)
    await after(ctx.tx)
    return value
  }

/** Makes the dispatcher of a world. */
export function createDispatcher(world: World, hooks: { wake: (loop: Waking) => void }): Dispatcher {
  const reader = readerOf(world)
  const dispatchAs: AskAs = (...asked) => answerAs({ world, reader, environment }, asked, handle)
  const environment = environmentOf(world, reader, { ...hooks, askAs: dispatchAs })
  const conditions = createConditions(world, { operations, reader, handlerOf: transactionalHandler })

  async function dispatch(request: ApiRequest): Promise<ApiResponse> {
    const requestId = world.ids.uuid()
    try {
      const turn = world.fairQueue?.(clientOf(request.remote ?? ''))
      if (turn) await turn
      if (request.signal?.aborted) throw fault.clientGone()
      const reply = await answer(request, requestId)
      const contentType = reply.body === null ? {} : jsonHeaders
      return { ...reply, headers: { 'x-request-id': requestId, ...contentType, ...reply.headers } }
    } catch (error) {
      return errorReply(world, error, { requestId, request })
    }
  }

  async function answer(request: ApiRequest, requestId: string): Promise<ApiResponse> {
    const incoming = await readRequest(reader, request)
    if (incoming.match.op.ok === 'upgrade') throw fault.badUpgrade('expected connection upgrade')
    const ctx = await openRequestContext(environment, incoming, requestId)
    return recorded(ctx, () => handle(ctx, incoming))
  }

  async function handle(ctx: RequestContext, incoming: Incoming, after?: AfterWork): Promise<ApiResponse> {
    const { match, input } = incoming
    const handler = handlerOf(match.name)
    if (!('withoutTransaction' in handler))
      return answerInTransaction(ctx, incoming, after ? followedBy(handler, after) : handler)
    const result = await handler.withoutTransaction(ctx, input)
    await ctx.audit.succeeded()
    return ownReplyOf(match.op, result, ctx)
  }

  async function answerInTransaction(
    request: RequestContext,
    incoming: Incoming,
    work: Work,
  ): Promise<ApiResponse> {
    const { match, input } = incoming
    const isRead = match.op.method === 'GET'
    const condition = await conditions.before(incoming)
    const run = () =>
      request.transaction(isRead ? 'read' : 'write', async (ctx) => {
        await condition?.(ctx)
        return work(ctx, input)
      })
    const value = await serializeCharges(world, { name: match.name, input }, run)
    const reply = await replyOf(match.op, value, request.cookies)
    return isRead ? conditions.tagged(match.op, reply) : reply
  }

  return { dispatch, upgrade: (request) => openUpgrade({ world, reader, environment }, request), dispatchAs }
}
