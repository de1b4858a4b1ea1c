/**
 * What the audit log is told of a request. Of one that succeeds it is told in the transaction that does the work, so
 * that nothing is done without its entry; of one that fails, which has changed nothing, at its end. Decision 0036.
 */
import type { ApiRequest } from '@purlin/contract/http'
import { isRecorded, type OpShape } from '@purlin/contract/op'
import { canonicalIp, ipProblem } from '@purlin/contract/rules/ip'
import { limits } from '@purlin/contract/rules/limits'
import { snake } from '@purlin/contract/wire'
import type { Actor, AuditRecord, Failure, World } from '#/context.ts'
import { insertRow } from '#/db/prepared.ts'
import type { Tx } from '#/db/tables.ts'
import { appenderOf } from './append.ts'
import { collectTouches, endTouches, type Touched, type Touches } from './touched.ts'

/** A request as it is stored until the log has its entry. */
export interface Recorded {
  requestId: string
  /** ms since 1970 */
  started: number
  operation: string
  uri: string
  sourceIp: string
  userAgent: string | null
  actor: { id: string; name: string; sessionId?: string } | null
  /** The silo of the actor or, without one, the silo that it tried to sign in to. */
  silo: { id: string; name: string } | null
  /** The silo that the request was about, if another one. */
  otherSiloId: string | null
  projectId: string | null
  objects: readonly Touched[]
  /** How many objects are not listed. */
  omitted: number
  /** HTTP; 0 if it is unknown how it ended */
  status: number
  code: string | null
  message: string | null
}

const nothing = () => Promise.resolve()
/** Of a request that is not recorded. */
const unrecorded: AuditRecord = {
  attempt: (_, work) => work(),
  look: (_, work) => work(),
  account: () => undefined,
  signedIn: () => undefined,
  succeeded: nothing,
  failed: nothing,
}

const unspecifiedAddress = '::'

function addressOf(remote: string): string {
  const mapped = remote.replace(/^::ffff:(?=[\d.]+$)/i, '')
  return ipProblem(mapped) === undefined ? canonicalIp(mapped) : unspecifiedAddress
}

const agentOf = (header: string | undefined): string | null =>
  header?.replaceAll(/\p{Cc}/gu, ' ').slice(0, limits.audit.agent) ?? null

/** The request that a record is of. */
interface Asked {
  match: { name: string; op: OpShape }
  request: ApiRequest
  requestId: string
  actor: Actor | null
}

/** Begins the record of a request. */
export const recordOf = (
  environment: { world: World; wake: (loop: 'audit') => void },
  asked: Asked,
): AuditRecord => (isRecorded(asked.match.op) ? createRecord(environment, asked) : unrecorded)

function createRecord(
  { world, wake }: Parameters<typeof recordOf>[0],
  { match, request, requestId, actor }: Asked,
): AuditRecord {
  const id = world.ids.uuid()
  const started = world.clock.now()
  const status = match.op.ok === 'upgrade' ? 101 : match.op.ok
  let who: Recorded['actor'] = actor && {
    id: actor.userId,
    name: actor.displayName,
    sessionId: actor.sessionId,
  }
  let silo: Recorded['silo'] = actor && { id: actor.siloId, name: actor.siloName }
  const accounts: Touched[] = []
  let touches: Touches | undefined
  let isWritten = false

  const rowOf = (how: Pick<Recorded, 'status' | 'code' | 'message'>, objects: readonly Touched[]) => {
    const siloId = touches?.siloId ?? null
    const listed = [...accounts, ...objects]
    const recorded: Recorded = {
      requestId,
      started,
      operation: snake(match.name),
      uri: request.url.slice(0, limits.audit.uri),
      sourceIp: addressOf(request.remote ?? ''),
      userAgent: agentOf(request.headers['user-agent']),
      actor: who,
      silo,
      otherSiloId: siloId === silo?.id ? null : siloId,
      projectId: touches?.projectId ?? null,
      objects: listed.slice(0, limits.audit.objects),
      omitted: Math.max(0, listed.length - limits.audit.objects),
      ...how,
    }
    return { id, at: world.clock.now(), recordJson: JSON.stringify(recorded) }
  }
  const successOf = () => rowOf({ status, code: null, message: null }, [...(touches?.objects.values() ?? [])])
  const append = async (row: ReturnType<typeof rowOf>) => {
    await appenderOf(world)(row)
    wake('audit')
  }

  async function look<T>(tx: Tx, work: () => Promise<T>): Promise<T> {
    touches = collectTouches(tx)
    return work().finally(() => endTouches(tx))
  }

  return {
    look,
    async attempt(tx, work) {
      if (!who) return work()
      isWritten = false
      const value = await look(tx, work)
      await insertRow(tx, 'auditPending', successOf())
      isWritten = true
      return value
    },
    account(of, user) {
      silo = of
      if (user) accounts.push({ type: 'silo-user', id: user.id, before: user.name, after: user.name })
    },
    signedIn: (user) => void (who = user),
    succeeded: async () => {
      // Somebody who signs out without a session does nothing.
      if (!isWritten && who) await append(successOf())
    },
    async failed(failure) {
      if (!who && !isSignInAttempt(failure, silo)) return
      const { status: failed, code = null, message } = failure ?? { status: 0, message: null }
      const text = message?.slice(0, limits.audit.message) ?? null
      await append(rowOf({ status: failed, code, message: text }, remaining(touches)))
    },
  }
}

/** Of strangers the log has those whose password was wrong: others, as many as there may be, have tried nothing. */
const isSignInAttempt = (failure: Failure, silo: Recorded['silo']): boolean =>
  silo !== null && failure?.status === 401

/** What a request was about that has changed nothing. */
const remaining = (touches: Touches | undefined): Touched[] =>
  [...(touches?.objects.values() ?? [])].flatMap(({ type, id, before }) =>
    before === null ? [] : [{ type, id, before, after: before }],
  )
