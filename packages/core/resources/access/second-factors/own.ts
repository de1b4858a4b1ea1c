/** The second factors of the signed-in user. Changes need a sign-in a short time before. */
import { permit } from '#/auth/resolve.ts'
import { permitRecent } from '#/auth/recent-session.ts'
import { newChallenge } from '#/auth/sign-in/challenges.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { Actor, Ctx, Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { insertRow } from '#/db/prepared.ts'
import type { SecondFactorTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plain } from '#/resources/kind/plain.ts'
import { identityView } from '#/resources/kind/rows.ts'
import { addFactor, begunOf, newSecret, provenFactor, questionTo } from './enrolment.ts'
import { factorsOf, removeFactor, replaceCodes } from './factors.ts'

const view = (row: Listed<'secondFactor'>) => ({
  ...identityView(row),
  type: row.type,
  timeLastUsed: row.timeLastUsed === null ? null : new Date(row.timeLastUsed),
})

const own = plain('secondFactor', { view, remove })

export const secondFactors: Family<
  | keyof typeof own.handlers
  | 'currentUserSecondFactorBegin'
  | 'currentUserSecondFactorConfirm'
  | 'currentUserRecoveryCodesView'
  | 'currentUserRecoveryCodesReplace'
> = {
  ...own.handlers,

  currentUserSecondFactorBegin: {
    async withoutTransaction(request, { body: { type } }) {
      const { world } = request
      await request.transaction('read', permitLocal)
      const secret = await newSecret(world, request, type)
      const { actor, row, factors } = await request.transaction('write', async (ctx) => {
        const { userId, displayName, sessionId } = await permitLocal(ctx)
        noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
        const id = challengeOf(sessionId)
        await ctx.tx.deleteFrom('signInChallenge').where('id', '=', id).execute()
        const begun = { ...newChallenge(world, { id, siloUserId: userId, step: 'add' }), secret }
        await insertRow(ctx.tx, 'signInChallenge', begun)
        return { actor: ctx.actor, row: begun, factors: await factorsOf(ctx.tx, userId) }
      })
      return questionTo(request, ownerOf(actor), { ...row, factors })
    },
  },

  currentUserSecondFactorConfirm: {
    async withoutTransaction(request, { body: { name, proof } }) {
      const { world, now } = request
      const begun = await request.transaction('read', async (ctx) => {
        const { sessionId } = await permitLocal(ctx)
        return begunOf(ctx.tx, challengeOf(sessionId), now)
      })
      const proven = await provenFactor(request, begun, proof)
      const { factor, codes } = await request.transaction('write', async (ctx) => {
        const { userId } = await permitLocal(ctx)
        return addFactor({ ...ctx, world, now }, userId, { name, challengeId: begun.id, proven })
      })
      return { factor: view(factor), codes }
    },
  },

  async currentUserRecoveryCodesView(ctx) {
    permit(ctx)
    const rows = await ctx.tx
      .selectFrom('recoveryCode')
      .select('codeHash')
      .where('siloUserId', '=', ctx.actor.userId)
      .execute()
    return { left: rows.length }
  },

  async currentUserRecoveryCodesReplace(ctx) {
    const { userId, displayName } = await permitRecent(ctx)
    noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
    const factors = await factorsOf(ctx.tx, userId)
    if (factors.length === 0) throw fault.invalid('recovery codes replace a second factor: add one first')
    return { codes: await replaceCodes(ctx.world, ctx.tx, userId) }
  },
}

// No token has such a fingerprint.
const challengeOf = (sessionId: string): string => `session ${sessionId}`

const ownerOf = ({ userId: id, displayName: name, siloName }: Actor) => ({ id, name, siloName })

async function siloOf({ tx, actor }: Ctx) {
  return tx
    .selectFrom('silo')
    .select(['identityMode', 'needsSecondFactor'])
    .where('id', '=', actor.siloId)
    .executeTakeFirstOrThrow()
}

/** The local user of a session that began a short time ago. Throws 403, 404. */
async function permitLocal(ctx: Ctx): Promise<Actor> {
  const actor = await permitRecent(ctx)
  const { identityMode } = await siloOf(ctx)
  if (identityMode !== 'local_only') throw fault.notFound('identity-provider', 'local')
  return actor
}

async function remove(ctx: Ctx, factor: SecondFactorTable): Promise<void> {
  const { userId } = await permitRecent(ctx)
  const [{ needsSecondFactor }, all] = await Promise.all([siloOf(ctx), factorsOf(ctx.tx, userId)])
  if (needsSecondFactor === 1 && all.length === 1)
    throw fault.invalid('the silo requires a second factor: add another one before you delete this one')
  await removeFactor(ctx, factor)
}
