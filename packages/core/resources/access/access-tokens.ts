/** Access tokens of users, and how long those of a silo may be valid. */
import { noteTarget, noteTokens } from '#/audit/touched.ts'
import { permit, resolveUser } from '#/auth/resolve.ts'
import { endAccessToken } from '#/auth/sessions.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import type { PageQuery } from '@purlin/contract/schemas/page'
import { fault } from '#/faults.ts'

export const accessTokens: Family<
  | 'authSettingsView'
  | 'authSettingsUpdate'
  | 'currentUserAccessTokenList'
  | 'currentUserAccessTokenDelete'
  | 'userTokenList'
> = {
  async authSettingsView(ctx) {
    permit(ctx)
    return settingsOf(ctx)
  },

  async authSettingsUpdate(ctx, { body }) {
    permit(ctx)
    const { siloId, siloName } = ctx.actor
    noteTarget(ctx.tx, 'silo', { id: siloId, name: siloName })
    await ctx.tx
      .updateTable('silo')
      .set({ deviceTokenMaxTtl: body.deviceTokenMaxTtlSeconds, timeModified: ctx.now })
      .where('id', '=', siloId)
      .execute()
    return settingsOf(ctx)
  },

  async currentUserAccessTokenList(ctx, { query }) {
    permit(ctx)
    return tokensOf(ctx, ctx.actor.userId, query)
  },

  async currentUserAccessTokenDelete(ctx, { params }) {
    permit(ctx)
    const { userId, displayName } = ctx.actor
    const id = params.tokenId.toLowerCase()
    if (!(await endAccessToken(ctx.tx, { userId, id })))
      throw fault.notFound('device-access-token', params.tokenId)
    ctx.wake('tasks')
    noteTarget(ctx.tx, 'siloUser', { id: userId, displayName })
    noteTokens(ctx.tx, ['device-access-token', 'deleted'], [{ id }])
  },

  async userTokenList(ctx, { params, query }) {
    const user = await resolveUser(ctx, params.userId)
    return tokensOf(ctx, user.id, query)
  },
}

async function settingsOf({ tx, actor: { siloId } }: Ctx) {
  const silo = await tx
    .selectFrom('silo')
    .select('deviceTokenMaxTtl')
    .where('id', '=', siloId)
    .executeTakeFirstOrThrow()
  return { siloId, deviceTokenMaxTtlSeconds: silo.deviceTokenMaxTtl }
}

/** The tokens of a user that have not expired. */
async function tokensOf(ctx: Ctx, userId: string, query: PageQuery) {
  const rows = ctx.tx
    .selectFrom('accessToken')
    .where('siloUserId', '=', userId)
    .where((eb) => eb.or([eb('timeExpires', 'is', null), eb('timeExpires', '>', ctx.now)]))
  const page = await pageById(ctx, query, { rows, table: 'accessToken' })
  return mapPage(page, (row) => ({
    id: row.id,
    timeCreated: new Date(row.timeCreated),
    timeExpires: row.timeExpires === null ? null : new Date(row.timeExpires),
  }))
}
