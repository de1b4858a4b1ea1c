/** The second step of a sign-in. The cookie that the password has earned says who signs in; only a proof starts a session. */
import { factorTypes } from '@purlin/contract/rules/credentials/second-factors'
import { logActor } from '#/auth/logged.ts'
import { sessionsOf } from '#/auth/sessions.ts'
import { challengeIdOf, clearedCookie, countWrong, endChallenge } from '#/auth/sign-in/challenges.ts'
import { knownMark, rememberBrowser } from '#/auth/sign-in/known-browsers.ts'
import { signInLimitsOf } from '#/auth/sign-in/sign-in-limits.ts'
import { newUnitOfWork, type Family, type InTransaction, type RequestContext } from '#/context.ts'
import type { SecondFactorTable, SignInChallengeTable, Tx } from '#/db/tables.ts'
import { evenWhileFull } from '#/db/while-full.ts'
import { fault } from '#/faults.ts'
import { addFactor, newSecret, provenFactor, questionTo, type Owner } from './enrolment.ts'
import { factorsOf } from './factors.ts'
import { checkProof } from './proofs.ts'
import { passkeyProblem, passkeysFor, questionOf, relyingParty } from './relying-party.ts'

/** A sign-in whose password was right. */
interface Pending {
  challenge: SignInChallengeTable
  owner: Owner & { siloId: string; passwordHash: string }
  factors: SecondFactorTable[]
}

export const secondFactorLogin: Family<
  'loginSecondFactorView' | 'loginSecondFactor' | 'loginSecondFactorBegin' | 'loginSecondFactorConfirm'
> = {
  loginSecondFactorView: {
    async withoutTransaction(ctx, { params }) {
      const { challenge, factors } = await pendingOf(ctx, params.siloName)
      const { rpId } = relyingParty(ctx)
      const { step } = challenge
      const canHavePasskeys = passkeyProblem(ctx.world, rpId) === undefined
      if (step === 'add') return { step, types: canHavePasskeys ? [...factorTypes] : ['totp' as const] }
      const hasPasskey = canHavePasskeys && passkeysFor(factors, rpId).length > 0
      const hasCodes = factors.some(({ type }) => type === 'totp')
      return {
        step,
        types: factorTypes.filter((type) => (type === 'totp' ? hasCodes : hasPasskey)),
        ...(hasPasskey ? { passkey: questionOf(challenge.challenge, rpId, factors) } : {}),
      }
    },
  },

  loginSecondFactor: {
    async withoutTransaction(ctx, { params, body }) {
      const { world, remote } = ctx
      const pending = await pendingOf(ctx, params.siloName, 'prove')
      const { challenge, owner } = pending
      const use = await signInLimitsOf(world).secondStep({ userId: owner.id, remote }, () =>
        checkProof(ctx, pending, body),
      )
      if (!use) {
        await world.engine.transaction('write', (tx) => countWrong(tx, challenge.id))
        throw fault.unauthorized()
      }
      await complete(ctx, pending, async ({ tx }) => {
        if (!(await use(tx)) || !(await endChallenge(tx, challenge.id))) throw fault.unauthorized()
      })
    },
  },

  loginSecondFactorBegin: {
    async withoutTransaction(ctx, { params, body }) {
      const { challenge, owner, factors } = await pendingOf(ctx, params.siloName, 'add')
      const secret = await newSecret(ctx.world, ctx, body.type)
      await ctx.world.engine.transaction('write', (tx) =>
        tx.updateTable('signInChallenge').set({ secret }).where('id', '=', challenge.id).execute(),
      )
      return questionTo(ctx, owner, { ...challenge, secret, factors })
    },
  },

  loginSecondFactorConfirm: {
    async withoutTransaction(ctx, { params, body: { name, proof } }) {
      const pending = await pendingOf(ctx, params.siloName, 'add')
      const { challenge, owner } = pending
      const proven = await provenFactor(ctx, challenge, proof)
      const { codes } = await complete(ctx, pending, async (within) => {
        // A user with a factor proves that one: the password alone adds no further one.
        if ((await factorsOf(within.tx, owner.id)).length > 0) throw nothingWaits()
        return addFactor({ ...within, world: ctx.world, now: ctx.now }, owner.id, {
          name,
          challengeId: challenge.id,
          proven,
        })
      })
      return { codes }
    },
  },
}

const nothingWaits = () =>
  fault.invalid('no sign-in waits for this step in this browser: begin with the password')

/** The sign-in that this browser continues. Throws 400 without one, or if it is at another step. */
async function pendingOf(
  ctx: RequestContext,
  siloName: string,
  step?: SignInChallengeTable['step'],
): Promise<Pending> {
  const id = challengeIdOf(ctx)
  const found = id === null ? null : await ctx.world.engine.transaction('read', (tx) => read(tx, id, ctx.now))
  if (!found || found.owner.siloName !== siloName || (step ?? found.challenge.step) !== found.challenge.step)
    throw nothingWaits()
  const { id: userId, siloId, name } = found.owner
  ctx.audit.account({ id: siloId, name: siloName }, { id: userId, name })
  return found
}

async function read(tx: Tx, id: string, now: number): Promise<Pending | null> {
  const challenge = await tx
    .selectFrom('signInChallenge')
    .selectAll()
    .where('id', '=', id)
    .where('timeExpires', '>', now)
    .executeTakeFirst()
  if (!challenge) return null
  const owner = await tx
    .selectFrom('siloUser')
    .innerJoin('silo', 'silo.id', 'siloUser.siloId')
    .select(['siloUser.id', 'siloUser.displayName as name', 'siloUser.passwordHash'])
    .where('siloUser.timeDeactivated', 'is', null)
    .select(['silo.id as siloId', 'silo.name as siloName'])
    .where('siloUser.id', '=', challenge.siloUserId)
    .executeTakeFirst()
  // Without a password, the user must not sign in any more.
  if (!owner || owner.passwordHash === null) return null
  const { passwordHash } = owner
  return { challenge, owner: { ...owner, passwordHash }, factors: await factorsOf(tx, owner.id) }
}

/** Signs the user in, in the transaction of `work`, and sets the cookies. */
async function complete<T>(
  ctx: RequestContext,
  { owner }: Pending,
  work: (within: InTransaction) => Promise<T>,
): Promise<T> {
  const { world, secure, cookieHeader } = ctx
  const { id, siloId, siloName, name, passwordHash } = owner
  const sessions = sessionsOf(world)
  ctx.audit.signedIn({ id, name })
  const { token, done } = await evenWhileFull(() =>
    world.engine.transaction('write', (tx, pipelineWithCommit) =>
      ctx.audit.attempt({ tx, pipelineWithCommit }, async (touches) => {
        const result = await work({ tx, unit: newUnitOfWork({ touches }) })
        // Always a new session: one that the browser was given before would be known to others.
        return { token: await sessions.start(tx, id, { client: ctx }), done: result }
      }),
    ),
  )
  logActor(ctx.logged, { userId: id, siloId })
  const former = knownMark(world, cookieHeader, { id, passwordHash })
  ctx.cookies.push(
    sessions.cookie(token, secure),
    rememberBrowser(world, { id, passwordHash }, { cookieHeader, former, siloName, secure }),
    clearedCookie(siloName, secure),
  )
  return done
}
