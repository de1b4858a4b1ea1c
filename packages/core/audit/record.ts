/**
 * The record of a request for the audit log. If the request succeeds, its transaction writes the record, so that
 * nothing happens without an entry. If it fails, it has changed nothing, and the record is written at the end.
 * Decision 0036.
 */
import type { ApiRequest } from '@purlin/contract/http'
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { limits } from '@purlin/contract/rules/limits'
import { snake } from '@purlin/contract/wire'
import { memoizeRecent } from '#/concurrency/memoize.ts'
import { addressOf, agentOf } from '#/clients.ts'
import type { Actor, AuditRecord, Failure, RecordedWork, Touched, Touches, World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import { externalScimId } from '#/db/rows/builtin-ids.ts'
import type { AuditPendingTable } from '#/db/tables.ts'
import { appenderOf } from './append.ts'
import { keysOf, objectsOf, type Details } from './details.ts'
import { newPendingId } from './pending-id.ts'
import { noTouches } from './touched.ts'

const nothing = () => Promise.resolve()
/** Of a request that is not recorded. */
const unrecorded: AuditRecord = {
  attempt: (_, work) => work(undefined),
  look: (work) => work(undefined),
  account: () => undefined,
  signedIn: () => undefined,
  succeeded: nothing,
  failed: nothing,
}

const wireName = memoizeRecent(1000, snake)

interface Named {
  id: string
  name: string
}
type Who = Named & Partial<Pick<Actor, 'sessionId' | 'authMethod'>>
/** The outcome of a request; the status is 0 if it is unknown. */
interface Ended {
  status: number
  code?: string | undefined
  message?: string
}
const unknown: Ended = { status: 0 }

/** The request that a record is of. */
interface RecordedRequest {
  match: { name: string; op: OpShape }
  request: ApiRequest
  requestId: string
  actor: Actor | null
}

/** Begins the record of a request. */
export const recordOf = (
  environment: { world: World; wake: (loop: 'audit') => void },
  incoming: RecordedRequest,
): AuditRecord =>
  !environment.world.isUnrecorded && isRecorded(incoming.match.op)
    ? createRecord(environment, incoming)
    : unrecorded

/** Without the code with which an identity provider sends a user to be signed in. */
const uriOf = ({ signsIn }: OpShape, url: string): string =>
  (signsIn ? (url.split('?', 1)[0] ?? '') : url).slice(0, limits.audit.uri)

function createRecord(
  { world, wake }: Parameters<typeof recordOf>[0],
  { match, request, requestId, actor }: RecordedRequest,
): AuditRecord {
  const started = world.clock.now()
  const status = match.op.ok === 'upgrade' ? 101 : match.op.ok
  let who: Who | null = actor && { ...actor, id: idOf(actor), name: actor.displayName }
  let silo: Named | null = actor && { id: actor.siloId, name: actor.siloName }
  const accounts: Touched[] = []
  let touches: Touches | undefined
  let isWritten = false
  let id: string | undefined

  function rowOf(ended: Ended, objects: readonly Touched[]): AuditPendingTable {
    const about = touches?.siloId ?? null
    const details: Details = {
      uri: uriOf(match.op, request.url),
      ...(who && { actorName: who.name }),
      ...(who && credentialOf(who)),
      ...(silo && { siloName: silo.name }),
      ...(touches && placesOf(touches)),
      ...objectsOf(accounts.length > 0 ? [...accounts, ...objects] : objects),
      ...(ended.code !== undefined && { code: ended.code }),
      ...(ended.message !== undefined && { message: ended.message }),
    }
    const silos = { siloId: silo?.id ?? null, otherSiloId: about === silo?.id ? null : about }
    return {
      // Its place is that of its end; another attempt keeps it.
      id: (id ??= newPendingId(world)),
      at: world.clock.now(),
      requestId,
      timeStarted: started,
      operation: wireName(match.name),
      actorId: who?.id ?? null,
      ...silos,
      sourceIp: addressOf(request.remote ?? ''),
      userAgent: agentOf(request.headers['user-agent']),
      status: ended.status,
      detailsJson: JSON.stringify(details),
      keys: keysOf(silos, details).join('\n'),
    }
  }
  const successOf = () => rowOf({ status }, [...(touches?.objects.values() ?? [])])
  const append = async (row: AuditPendingTable) => {
    await appenderOf(world)(row)
    wake('audit')
  }

  function look<T>(work: RecordedWork<T>): Promise<T> {
    touches = noTouches()
    return work(touches)
  }

  return {
    look,
    async attempt({ tx, pipelineWithCommit }, work) {
      if (!who) return work(undefined)
      isWritten = false
      const value = await look(work)
      pipelineWithCommit(insertRow(tx, 'auditPending', successOf()))
      isWritten = true
      return value
    },
    account(of, user) {
      silo = of
      if (user) accounts.push({ type: 'silo-user', id: user.id, before: user.name, after: user.name })
    },
    signedIn: (user) => void (who = user),
    succeeded: async () => {
      // Signing out without a session does nothing.
      if (!isWritten && who) await append(successOf())
    },
    async failed(failure) {
      if (!who && !isSignInAttempt(failure, silo)) return
      await append(rowOf(endedBy(failure), remaining(touches)))
    },
  }
}

// A SCIM client is no user: the built-in one acts for it.
const idOf = ({ userId, authMethod }: Actor): string =>
  authMethod === 'scim_token' ? externalScimId : userId

/** A user who signs in with the request has had none. */
const credentialOf = ({ sessionId, authMethod }: Who): Pick<Details, 'sessionId' | 'auth'> => ({
  ...(sessionId !== undefined && { sessionId }),
  ...(authMethod && { auth: authMethod }),
})

/**
 * Of callers without a session, the log has those with a wrong password or a refused answer of an identity provider.
 * Others have not tried anything, and there may be many.
 */
const isSignInAttempt = (failure: Failure, silo: Named | null): boolean =>
  silo !== null && (failure?.status === 401 || failure?.status === 400)

const endedBy = (failure: Failure): Ended =>
  failure ? { ...failure, message: failure.message.slice(0, limits.audit.message) } : unknown

/** The parents of the target. */
const placesOf = ({ projectId, vpcIds }: Touches): Pick<Details, 'projectId' | 'vpcIds'> => ({
  ...(projectId !== null && { projectId }),
  ...(vpcIds.size > 0 && { vpcIds: [...vpcIds].slice(0, limits.audit.objects) }),
})

/** The target of a request that has changed nothing. */
const remaining = (touches: Touches | undefined): Touched[] =>
  [...(touches?.objects.values() ?? [])].flatMap(({ type, id, before }) =>
    before === null ? [] : [{ type, id, before, after: before }],
  )
