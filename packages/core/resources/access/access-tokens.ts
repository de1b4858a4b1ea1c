/** Access tokens of users, and how long those of a silo may be valid. */
import { noteDeleted, noteTarget } from '#/audit/touched.ts'
import { permit, resolveUser } from '#/auth/resolve.ts'
import { endAccessToken } from '#/auth/sessions.ts'
import type { Ctx, Family } from '#/context.ts'
import type { SelectQueryBuilder } from 'kysely'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { Tables } from '#/db/tables.ts'
import { plain } from '../kind/plain.ts'
import { setting } from '../kind/setting.ts'

const view = (row: Listed<'accessToken'>) => ({
  id: row.id,
  timeCreated: new Date(row.timeCreated),
  timeExpires: row.timeExpires === null ? null : new Date(row.timeExpires),
})

/** The tokens that have not expired. */
export const valid = ({ now }: Pick<Ctx, 'now'>, tokens: SelectQueryBuilder<Tables, 'accessToken', object>) =>
  tokens.where((eb) => eb.or([eb('timeExpires', 'is', null), eb('timeExpires', '>', now)]))

const own = plain('accessToken', { view, seen: valid, remove })

const settings = setting('authSettings', {
  of: (ctx) => permit(ctx),
  view: settingsOf,
  async update(ctx, _, { deviceTokenMaxTtlSeconds, secondFactorRequired }) {
    const { siloId, siloName } = ctx.actor
    noteTarget(ctx.unit, 'silo', { id: siloId, name: siloName })
    if (secondFactorRequired) await checkLocal(ctx)
    await ctx.tx
      .updateTable('silo')
      .set({ deviceTokenMaxTtl: deviceTokenMaxTtlSeconds, timeModified: ctx.now })
      .$if(secondFactorRequired !== undefined, (all) =>
        all.set({ needsSecondFactor: secondFactorRequired ? 1 : 0 }),
      )
      .where('id', '=', siloId)
      .execute()
    return settingsOf(ctx)
  },
})

export const accessTokens: Family<'userTokenList' | keyof typeof own.handlers | keyof typeof settings> = {
  ...own.handlers,
  ...settings,

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

async function remove(ctx: Ctx, { id }: { id: string }): Promise<void> {
  const { userId, displayName } = ctx.actor
  await endAccessToken(ctx.tx, { userId, id })
  ctx.wake('tasks')
  noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
  noteDeleted(ctx.unit, 'accessToken', { id })
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
