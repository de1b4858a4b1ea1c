/**
 * Request → response: match, parse, authenticate, begin, handle, commit, encode. Faults become error
 * envelopes only here. Each front end (Node, browser, test) maps its own requests to ApiRequest.
 */
import type { ApiRequest, ApiResponse } from '@purlin/contract/http'
import { isReading, type ErrorFormat, type OpShape } from '@purlin/contract/op'
import { scimRoot } from '@purlin/contract/operations/access/scim'
import { operations, type OperationName } from '@purlin/contract/operations'
import { clientOf } from '#/auth/client-of.ts'
import { createEvents } from '#/events/events.ts'
import { createConditions } from './conditions.ts'
import type { AskAs, Ctx, Waking, RequestContext, World } from '#/context.ts'
import { OutcomeUnknown } from '#/db/engine.ts'
import { charges, serializeCharges } from '#/resources/metrics/serialize-charges.ts'
import { openRequestContext, type RequestEnvironment, senderOf } from './request-context.ts'
import { fault } from '#/faults.ts'
import { handlers } from './handlers.ts'
import { errorReply, failureOf, ownReplyOf, replyOf, typeHeaders } from './replies/replies.ts'
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

/** The operations that are answered, and their handlers. */
interface Table {
  operations: Readonly<Record<string, OpShape>>
  handlerOf: (name: string) => AnyHandler
}
const wholeTable: Table = {
  operations,
  handlerOf: (name) => handlers[name as OperationName] as AnyHandler,
}

function transactional(handler: AnyHandler): Work | undefined {
  return 'withoutTransaction' in handler ? undefined : handler
}

function readerOf(world: World, table: Table): Reader {
  const route = createRouter(table.operations)
  return {
    route,
    readGet: createGetReader(route),
    senderOf: (request, op) => senderOf(world, request, op),
    fairQueue: world.fairQueue,
  }
}

/** The format of the errors of the operation that a request names, if it names one. */
function errorFormatOf({ route }: Reader, { method, url }: ApiRequest): ErrorFormat | undefined {
  const path = url.split('?', 1)[0] ?? ''
  try {
    return route(method, path).op.errorFormat
  } catch {
    return path.startsWith(`${scimRoot}/`) ? 'scim' : undefined
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
  { reader, handlerOf }: { reader: Reader } & Pick<Table, 'handlerOf'>,
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
type AroundWork = Parameters<AskAs>[2]
type AfterWork = NonNullable<AroundWork>['after'] | undefined

/** Answers a request that was not sent. */
async function answerAs(
  { world, reader, environment }: DispatchContext,
  [actor, request, around]: Parameters<AskAs>,
  handle: (ctx: RequestContext, incoming: Incoming, around: AroundWork) => Promise<ApiResponse>,
): Promise<ApiResponse> {
  const requestId = world.ids.uuid()
  const sender = { actor, at: world.clock.now() }
  try {
    const incoming = await readRequest({ ...reader, senderOf: () => Promise.resolve(sender) }, request)
    const ctx = await openRequestContext(environment, { ...incoming, sender }, requestId)
    return await recorded(ctx, () => handle(ctx, incoming, around))
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

/** The work with something before and after it in its transaction. */
const within =
  (work: Work, { before, after }: NonNullable<AroundWork>): Work =>
  async (ctx, input) => {
    await before?.(ctx.tx)
    const value = await work(ctx, input)
    await after?.(ctx.tx)
    return value
  }

/** The context of a handler that manages its transactions, with something before and after the work of each write. */
const aroundWrites = (
  ctx: RequestContext,
  { before, after }: { before?: ((ctx: Ctx) => Promise<void>) | undefined; after?: AfterWork },
): RequestContext => ({
  ...ctx,
  transaction: (mode, work, reads) =>
    ctx.transaction(
      mode,
      async (inTransaction) => {
        if (mode !== 'write') return work(inTransaction)
        await before?.(inTransaction)
        const value = await work(inTransaction)
        await after?.(inTransaction.tx)
        return value
      },
      reads,
    ),
})

/** Makes the dispatcher of a world. Tests of the dispatcher have a table of their operations. */
export function createDispatcher(
  world: World,
  hooks: { wake: (loop: Waking) => void },
  table = wholeTable,
): Dispatcher {
  const { handlerOf } = table
  const reader = readerOf(world, table)
  const dispatchAs: AskAs = (...asked) => answerAs({ world, reader, environment }, asked, handle)
  const environment = environmentOf(world, { reader, handlerOf }, { ...hooks, askAs: dispatchAs })
  const conditions = createConditions(world, {
    operations: table.operations,
    reader,
    handlerOf: (name) => transactional(handlerOf(name)),
  })

  async function dispatch(request: ApiRequest): Promise<ApiResponse> {
    const requestId = world.ids.uuid()
    try {
      const turn = world.fairQueue?.(clientOf(request.remote ?? ''))
      if (turn) await turn
      if (request.signal?.aborted) throw fault.clientGone()
      return await answer(request, requestId)
    } catch (error) {
      return errorReply(world, error, { requestId, request, format: errorFormatOf(reader, request) })
    }
  }

  async function answer(request: ApiRequest, requestId: string): Promise<ApiResponse> {
    const incoming = await readRequest(reader, request)
    const { op } = incoming.match
    if (op.ok === 'upgrade') throw fault.badUpgrade('expected connection upgrade')
    const ctx = await openRequestContext(environment, incoming, requestId)
    const reply = await recorded(ctx, () => handle(ctx, incoming))
    const headers = { 'x-request-id': requestId, ...typeHeaders(op, reply.body), ...reply.headers }
    return { ...reply, headers }
  }

  async function handle(ctx: RequestContext, incoming: Incoming, around?: AroundWork): Promise<ApiResponse> {
    const { match, input } = incoming
    const handler = handlerOf(match.name)
    if (!('withoutTransaction' in handler))
      return answerInTransaction(ctx, incoming, around ? within(handler, around) : handler)
    const condition = await conditions.before(incoming)
    const before = async (inTransaction: Ctx) => {
      await condition?.(inTransaction)
      await around?.before?.(inTransaction.tx)
    }
    const isAround = condition !== undefined || around !== undefined
    const own = isAround ? aroundWrites(ctx, { before, after: around?.after }) : ctx
    const result = await handler.withoutTransaction(own, input)
    await ctx.audit.succeeded()
    const { cookies, answer } = ctx
    return ownReplyOf(match.op, result, { request: incoming.request, cookies, answer })
  }

  async function answerInTransaction(
    request: RequestContext,
    incoming: Incoming,
    work: Work,
  ): Promise<ApiResponse> {
    const { match, input } = incoming
    const isRead = isReading(match.op.method)
    const condition = await conditions.before(incoming)
    const isCharging = charges(match.name as OperationName, input)
    const run = () =>
      request.transaction(isRead ? 'read' : 'write', async (ctx) => {
        ctx.unit.mayCharge = isCharging
        await condition?.(ctx)
        return work(ctx, input)
      })
    const value = await (isCharging ? serializeCharges(world, run) : run())
    const reply = await replyOf(match.op, value, request.cookies)
    return isRead ? conditions.tagged(match.op, reply) : reply
  }

  return { dispatch, upgrade: (request) => openUpgrade({ world, reader, environment }, request), dispatchAs }
}
