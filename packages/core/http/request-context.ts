/** The actor of a parsed request, and the transactions that its handler may run. */
import { userHeader, type ApiRequest } from '@purlin/contract/http'
import type { OpShape } from '@purlin/contract/op'
import { recordOf } from '#/audit/record.ts'
import type { Actor, AskAs, Waking, RequestContext, World } from '#/context.ts'
import { fault, Fault } from '#/faults.ts'
import type { Events } from '#/events/events.ts'
import { checkBearer } from '#/auth/bearer.ts'
import type { Incoming, Sender } from './request.ts'
import { createTransactions } from './transactions.ts'
import { refusalOf } from '#/auth/credential-scope.ts'
import { admitScimClient, scimClientOf } from '#/auth/scim-clients.ts'
import { logActor } from '#/auth/logged.ts'
import { credentialOf, sessionsOf, tokenOf } from '#/auth/sessions.ts'

/** The parts of the dispatcher that request contexts need. */
export interface RequestEnvironment {
  world: World
  wake: (loop: Waking) => void
  events: Events
  askAs: AskAs
}

/** Authenticates a request. Throws 401, 400. */
export async function openRequestContext(
  environment: RequestEnvironment,
  incoming: Incoming,
  requestId: string,
): Promise<RequestContext> {
  const { world, events } = environment
  const { request, match, search } = incoming
  const { remote: source } = request
  const common = {
    world,
    op: match.op,
    requestId,
    origin: originOf(request),
    now: world.clock.now(),
    search,
    source,
  }
  const actor = await authenticateRequest(world, incoming)
  const credential = actor && credentialOf(request.headers)
  const audit = recordOf(environment, { match, request, requestId, actor })
  const refused = refusalOf(actor, match.op)
  if (refused) {
    await audit.failed(refused)
    throw refused
  }

  const transaction = createTransactions({ environment, incoming, common, actor, audit })

  return {
    ...common,
    actor,
    sessionToken: tokenOf(request.headers['cookie']),
    credential,
    remote: source ?? '',
    userAgent: request.headers['user-agent'],
    secure: request.secure ?? false,
    signal: request.signal,
    cookieHeader: request.headers['cookie'],
    lastEventId: request.headers['last-event-id'],
    watch: async (asked) => events.open({ token: credential, actor, signal: request.signal }, asked),
    cookies: [],
    answer: {},
    wake: environment.wake,
    logged: request.logged ?? {},
    audit,
    ask: (asked, as = actor ?? refuse()) =>
      environment.askAs(as, request.signal ? { ...asked, signal: request.signal } : asked),
    transaction,
  }
}

function refuse(): never {
  throw fault.unauthorized()
}

// A body can take longer to arrive than its sender keeps the session.
const senderHoldsMs = 1000

/** The actor of a request, before its body is read. Throws if the session cannot be read. */
export async function senderOf(world: World, request: ApiRequest, op: OpShape): Promise<Sender> {
  const at = world.clock.now()
  return { actor: await (op.allow === 'scim' ? scimClientOf : actorOf)(world, request), at }
}

/** Null only for public operations. */
async function authenticateRequest(
  world: World,
  { request, match, sender }: Incoming,
): Promise<Actor | null> {
  const isRecent = sender !== null && world.clock.now() - sender.at <= senderHoldsMs
  const { actor } = isRecent ? sender : await senderOf(world, request, match.op)
  const expected = request.headers[userHeader]
  if (actor && expected !== undefined && expected !== actor.userId && !match.op.signsIn)
    throw fault.otherUser()
  if (actor && match.op.allow === 'scim') admitScimClient(world, actor)
  if (actor || match.op.allow === 'public') return actor
  if (tokenOf(request.headers['cookie']) === null) checkBearer(request.headers['authorization'])
  throw fault.unauthorized()
}

/** The address that the client knows the server by. */
const originOf = ({ headers, secure, publicOrigin }: ApiRequest): string =>
  publicOrigin ?? `${secure ? 'https' : 'http'}://${headers['host'] ?? 'localhost'}`

/** The user whose session or access token a request carries, whom its line in the log then names; null without a valid one. */
export async function actorOf(world: World, request: ApiRequest): Promise<Actor | null> {
  const token = credentialOf(request.headers)
  if (!token) return null
  const actor = await sessionsOf(world).authenticate(token).catch(nullIfUnauthorized)
  if (actor) logActor(request.logged ?? {}, actor)
  return actor
}

// Other failures, such as of the database, are still thrown.
function nullIfUnauthorized(error: unknown): null {
  if (error instanceof Fault && error.status === 401) return null
  throw error
}
