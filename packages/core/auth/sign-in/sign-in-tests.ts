/**
 * Tests of identity providers: a sign-in whose answer is verified as always, and then described to the administrator
 * who has begun it. It creates no user, group or session. Decision 0081.
 */
import { kinds } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import type { RequestContext, World } from '#/context.ts'
import type { SignInTestTable, Tx } from '#/db/tables.ts'
import { insertRow } from '#/db/prepared.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { ownRecord, type OwnDeed } from '#/audit/own-records.ts'
import { Fault, fault } from '#/faults.ts'
import { sessionsOf } from '../sessions.ts'
import { checkRoomFor, planOf, type Proven, type SignInPlan } from './proven-users.ts'
import { answeredRequest, type BoundRequest, type Browser, requestLifetimeMs } from './provider-requests.ts'
import { spend, type SpentAnswer } from './spent-answers.ts'

/** An attribute or claim, and what a sign-in takes from it. */
export interface SaidAttribute {
  name: string
  values: string[]
  use: 'name' | 'display_name' | 'groups' | null
}
/** The content of an answer whose signature is valid. Times are in ms since 1970. */
export interface Said {
  issuer: string | null
  subject: string | null
  audiences: string[]
  timeIssued: number | null
  timeValidFrom: number | null
  timeValidUntil: number | null
  attributes: SaidAttribute[]
}
type StoredPlan = Pick<SignInPlan, 'groups'> & {
  user: { id: string; siloId: string; displayName: string }
  isNew: boolean
}
/** The outcome of a test. */
export interface TestOutcome {
  /** Null for an answer that would sign a user in. */
  reason: string | null
  said: (Said & { omitted: number }) | null
  plan: StoredPlan | null
}

/** An answer that has passed all checks. */
export interface Verified {
  proven: Proven
  spent: SpentAnswer
  request: BoundRequest
}
/** Notes the content of an answer once its signature is known to be valid, before it is compared with the request. */
export type NoteSaid = (said: Said) => void

/** A test that waits for the answer that this browser brings. */
export interface OpenTest {
  row: SignInTestTable
  request: BoundRequest
  browser: Browser
}

/** Stores a test. Of an administrator's tests, only the newest are kept. */
export async function insertTest(
  tx: Tx,
  { ids, clock }: World,
  of: Pick<SignInTestTable, 'requestId' | 'providerId' | 'siloUserId' | 'sessionId'>,
): Promise<SignInTestTable> {
  const now = clock.now()
  const row = {
    id: ids.uuid(),
    ...of,
    timeCreated: now,
    timeExpires: now + requestLifetimeMs,
    outcomeJson: null,
  }
  await insertRow(tx, 'signInTest', row)
  const { perUser } = limits.signInTest
  const old = await tx
    .selectFrom('signInTest')
    .select('requestId')
    .where('siloUserId', '=', of.siloUserId)
    .where('id', '!=', row.id)
    .orderBy('timeCreated', 'desc')
    .limit(perUser)
    .offset(perUser - 1)
    .execute()
  const forgotten = old.map(({ requestId }) => requestId)
  if (forgotten.length > 0) await tx.deleteFrom('signInTest').where('requestId', 'in', forgotten).execute()
  return row
}

/**
 * The test that the request with this id belongs to; undefined unless this browser has sent the request, and the session
 * that has begun the test lasts.
 */
export async function openTest(
  { world }: RequestContext,
  browser: Browser,
  { providerId, requestId }: { providerId: string; requestId: string },
): Promise<OpenTest | undefined> {
  const request = answeredRequest(world, browser, requestId)
  if (!request) return undefined
  const { timeCreated, timeLastUsed } = sessionsOf(world).oldest()
  const row = await world.engine.transaction('read', (tx) =>
    tx
      .selectFrom('signInTest')
      .innerJoin('session', (join) =>
        join
          .onRef('session.id', '=', 'signInTest.sessionId')
          .onRef('session.siloUserId', '=', 'signInTest.siloUserId'),
      )
      .selectAll('signInTest')
      .where('requestId', '=', requestId)
      .where('signInTest.providerId', '=', providerId)
      .where('timeExpires', '>', world.clock.now())
      .where('session.timeCreated', '>=', timeCreated)
      .where('session.timeLastUsed', '>=', timeLastUsed)
      .executeTakeFirst(),
  )
  return row && { row, request, browser }
}

/**
 * Verifies the answer to a test and stores the outcome, whatever it is. The answer counts as used. Leads to the outcome.
 * Throws 400 for a test that has its answer.
 */
export async function concludeTest(
  ctx: RequestContext,
  { row, request }: OpenTest,
  { siloName, verify }: { siloName: string; verify: (note: NoteSaid) => Promise<Verified> },
): Promise<void> {
  const { world } = ctx
  const heard: { said: TestOutcome['said'] } = { said: null }
  const note: NoteSaid = (said) => void (heard.said = shortened(said))
  const verified = await verify(note).catch(reasonOf)
  await evenWhileFull(() =>
    world.engine.transaction('write', async (tx) => {
      const effect = 'reason' in verified ? verified : await effectOf(ctx, tx, verified).catch(reasonOf)
      const outcome: TestOutcome = { plan: null, ...effect, said: heard.said }
      const { numUpdatedRows } = await tx
        .updateTable('signInTest')
        .set({
          outcomeJson: JSON.stringify(outcome),
          timeExpires: world.clock.now() + limits.signInTest.keptMs,
        })
        .where('requestId', '=', row.requestId)
        .where('outcomeJson', 'is', null)
        .executeTakeFirst()
      if (numUpdatedRows === 0n) throw fault.refusedAnswer('the test has had its answer')
      await insertRow(tx, 'auditPending', ownRecord(world, await endOf(tx, row, outcome)))
    }),
  )
  ctx.cookies.push(request.cookie)
  ctx.answer.location = `/system/silos/${siloName}/idps/tests/${row.id}`
}

/** The entry of the audit log about the end of a test, which the administrator has begun. */
async function endOf(tx: Tx, row: SignInTestTable, { reason }: TestOutcome): Promise<OwnDeed> {
  const provider = await tx
    .selectFrom('identityProvider')
    .innerJoin('silo', 'silo.id', 'identityProvider.siloId')
    .select(['identityProvider.name', 'silo.id as siloId', 'silo.name as siloName'])
    .where('identityProvider.id', '=', row.providerId)
    .executeTakeFirst()
  const actor = await tx
    .selectFrom('siloUser')
    .select(['id', 'displayName'])
    .where('id', '=', row.siloUserId)
    .executeTakeFirst()
  const touched = provider && {
    type: kinds.identityProvider.type,
    id: row.providerId,
    before: provider.name,
    after: provider.name,
  }
  return {
    operation: 'sign_in_test_end',
    by: 'the answer to a test of a sign-in',
    ...(provider ? { silo: { id: provider.siloId, name: provider.siloName } } : {}),
    ...(actor ? { actor: { id: actor.id, name: actor.displayName } } : {}),
    ...(reason === null ? {} : { refusal: reason }),
    touched: touched ? [touched] : [],
  }
}

/** The effects of a sign-in with the answer. Throws 400 for an answer that has been used. */
async function effectOf(
  ctx: RequestContext,
  tx: Tx,
  { proven, spent }: Verified,
): Promise<Pick<TestOutcome, 'reason' | 'plan'>> {
  await spend(tx, ctx.world, spent)
  await checkRoomFor(ctx.world, tx, proven)
  const plan = await planOf(ctx, tx, proven)
  if ('problem' in plan) return { reason: plan.problem, plan: null }
  const { id, siloId, displayName } = plan.user
  return { reason: null, plan: { ...plan, user: { id, siloId, displayName } } }
}

/** The reason for a refusal. Throws any other error. */
function reasonOf(error: unknown): { reason: string } {
  if (error instanceof Fault) return { reason: error.message }
  throw error
}

/** As much of an answer as is kept. */
function shortened(said: Said): TestOutcome['said'] {
  const { attributes: most, values: mostValues, text } = limits.signInTest
  const cut = (one: string): string => one.slice(0, text)
  let room: number = mostValues
  const attributes = said.attributes.slice(0, most).map(({ name, values, use }) => {
    const kept = values.slice(0, room).map(cut)
    room -= kept.length
    return { name: cut(name), values: kept, use }
  })
  const count = (all: readonly SaidAttribute[]) => all.reduce((sum, { values }) => sum + values.length, 0)
  return {
    ...said,
    issuer: said.issuer && cut(said.issuer),
    subject: said.subject && cut(said.subject),
    audiences: said.audiences.slice(0, most).map(cut),
    attributes,
    omitted: count(said.attributes) - count(attributes),
  }
}
