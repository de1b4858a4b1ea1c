/** Access tokens of users, and how long those of a silo may be valid. */
import { accessTokensOfUser } from '@purlin/contract/rules/counts'
import { keysOf } from '@purlin/contract/rules/keys'
import { countOf } from '@purlin/contract/rules/kinds'
import { noteChanges, noteDeleted, noteMade, noteTarget } from '#/audit/touched.ts'
import { permitSession, refuseEnded } from '#/auth/recent-session.ts'
import { permit, resolveUser } from '#/auth/resolve.ts'
import { endAccessToken, issueAccessToken } from '#/auth/sessions.ts'
import type { BodyOf, Ctx, Family, FieldChange } from '#/context.ts'
import type { SelectQueryBuilder } from 'kysely'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { Tables } from '#/db/tables.ts'
import { plain } from '#/resources/kind/plain.ts'
import { checkRoom } from '#/resources/kind/room.ts'
import { setting } from '#/resources/kind/setting.ts'

const dateOf = (ms: number | null): Date | null => (ms === null ? null : new Date(ms))

const view = (row: Omit<Listed<'accessToken'>, 'isReadOnly' | 'onlyProjectId'>) => ({
  id: row.id,
  name: row.label,
  timeCreated: new Date(row.timeCreated),
  timeExpires: dateOf(row.timeExpires),
  timeLastUsed: dateOf(row.timeLastUsed),
})

/** The tokens that have not expired. */
export const valid = ({ now }: Pick<Ctx, 'now'>, tokens: SelectQueryBuilder<Tables, 'accessToken', object>) =>
  tokens.where((eb) => eb.or([eb('timeExpires', 'is', null), eb('timeExpires', '>', now)]))

const own = plain('accessToken', { view, seen: valid, remove }, ['List', 'Delete'])

const settings = setting('authSettings', {
  of: (ctx) => permit(ctx),
  view: settingsOf,
  async update(ctx, _, { deviceTokenMaxTtlSeconds, secondFactorRequired }) {
    const { siloId, siloName } = ctx.actor
    noteTarget(ctx.unit, 'silo', { id: siloId, name: siloName })
    if (secondFactorRequired) await checkLocal(ctx)
    const before = await settingsOf(ctx)
    await ctx.tx
      .updateTable('silo')
      .set({ deviceTokenMaxTtl: deviceTokenMaxTtlSeconds, timeModified: ctx.now })
      .$if(secondFactorRequired !== undefined, (all) =>
        all.set({ needsSecondFactor: secondFactorRequired ? 1 : 0 }),
      )
      .where('id', '=', siloId)
      .execute()
    const after = await settingsOf(ctx)
    noteChanges(ctx.unit, ['silo', { id: siloId, name: siloName }], settingsChanges(before, after))
    return after
  },
})

type Settings = Awaited<ReturnType<typeof settingsOf>>

/** `7 days` */
function lifetimeText(seconds: number | null): string | null {
  if (seconds === null) return null
  const units = { day: 86_400, hour: 3600, minute: 60 }
  const unit = keysOf(units).find((one) => seconds % units[one] === 0)
  return unit ? countOf(seconds / units[unit], unit) : countOf(seconds, 'second')
}

/** The settings that differ, as an entry of the audit log shows it. */
function settingsChanges(before: Settings, after: Settings): FieldChange[] {
  const times = [before, after].map((one) => lifetimeText(one.deviceTokenMaxTtlSeconds))
  const factors = [before, after].map((one) => String(one.secondFactorRequired))
  return [
    ...(times[0] === times[1]
      ? []
      : [{ field: 'longest_token_lifetime', before: times[0] ?? null, after: times[1] ?? null }]),
    ...(factors[0] === factors[1]
      ? []
      : [{ field: 'second_factors', before: factors[0] ?? null, after: factors[1] ?? null }]),
  ]
}

export const accessTokens: Family<
  'userTokenList' | 'currentUserAccessTokenCreate' | keyof typeof own.handlers | keyof typeof settings
> = {
  ...own.handlers,
  ...settings,

  currentUserAccessTokenCreate: {
    withoutTransaction: (request, { body }) =>
      request.transaction('write', async (ctx) => {
        const made = await create(ctx, body)
        // It would outlive a session, or a user, that ended at the same time.
        await refuseEnded(ctx, request.credential)
        return made
      }),
  },

  async userTokenList(ctx, { params, query }) {
    const user = await resolveUser(ctx, params.userId)
    const rows = ctx.tx.selectFrom('accessToken').where('siloUserId', '=', user.id)
    return mapPage(await pageById(ctx, query, { rows: valid(ctx, rows), table: 'accessToken' }), view)
  },
}

/** The lifetime of a token, s: as requested or else the maximum of the silo. Throws 400. */
export async function permittedTtl<T extends number | null>(
  { tx }: Pick<Ctx, 'tx'>,
  siloId: string,
  requested: T,
): Promise<T | number | null> {
  const silo = await tx
    .selectFrom('silo')
    .select('deviceTokenMaxTtl')
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  const most = silo.deviceTokenMaxTtl
  if (requested !== null && most !== null && requested > most)
    throw fault.invalid(
      `Requested TTL ${requested} seconds exceeds maximum allowed TTL for this silo of ${most} seconds`,
    )
  return requested ?? most
}

/** Throws 507 if the actor has as many tokens as there may be, with those that programs have yet to fetch. */
export async function refuseTooMany({ tx, actor, now }: Ctx): Promise<void> {
  const tokens = valid({ now }, tx.selectFrom('accessToken').where('siloUserId', '=', actor.userId)).select(
    'id',
  )
  const waiting = tx.selectFrom('deviceRequest').select('id').where('siloUserId', '=', actor.userId)
  const has = (await tokens.execute()).length + (await waiting.execute()).length
  checkRoom(has, { noun: 'access token', holder: 'user', most: accessTokensOfUser })
}

/** Throws 400, 403, 507. */
async function create(ctx: Ctx, { name, ttlSeconds }: BodyOf<'currentUserAccessTokenCreate'>) {
  // A token that made another one would outlive its own end and its deletion.
  const { userId, siloId, displayName } = permitSession(ctx)
  const ttl = await permittedTtl(ctx, siloId, ttlSeconds ?? null)
  const namesakes = ctx.tx
    .selectFrom('accessToken')
    .where('siloUserId', '=', userId)
    .where('label', '=', name)
  const taken = await valid(ctx, namesakes).select('id').executeTakeFirst()
  if (taken) throw fault.exists('device-access-token', name)
  await refuseTooMany(ctx)
  const { token, ...issued } = await issueAccessToken(ctx.world, ctx.tx, { siloUserId: userId, ttl, name })
  noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
  noteMade(ctx.unit, 'accessToken', { id: issued.id, label: name })
  return { ...view({ ...issued, label: name, timeCreated: ctx.now, timeLastUsed: null }), token }
}

async function remove(ctx: Ctx, { id, label }: Pick<Listed<'accessToken'>, 'id' | 'label'>): Promise<void> {
  const { userId, displayName } = ctx.actor
  await endAccessToken(ctx.tx, { userId, id })
  ctx.wake('tasks')
  noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
  noteDeleted(ctx.unit, 'accessToken', { id, label })
}

async function settingsOf({ tx, actor: { siloId } }: Ctx) {
  const silo = await tx
    .selectFrom('silo')
    .select(['deviceTokenMaxTtl', 'needsSecondFactor'])
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  return {
    siloId,
    deviceTokenMaxTtlSeconds: silo.deviceTokenMaxTtl,
    secondFactorRequired: silo.needsSecondFactor === 1,
  }
}

/** Throws 400 in a silo whose users sign in with an identity provider: that decides about factors. */
async function checkLocal({ tx, actor: { siloId } }: Ctx): Promise<void> {
  const silo = await tx
    .selectFrom('silo')
    .select('identityMode')
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  if (silo.identityMode !== 'local_only')
    throw fault.invalidValue('second_factor_required', 'the identity provider of the silo decides')
}
