/** The signed-in user. */
import { mayModifySilo, permits } from '#/auth/access.ts'
import { isSession, permitSession } from '#/auth/recent-session.ts'
import { ownRoleOn, permit } from '#/auth/resolve.ts'
import { endAllOf } from '#/auth/sessions.ts'
import { checkNewPassword } from '#/auth/sign-in/new-passwords.ts'
import { rememberOwn, verifyOwn } from '#/auth/sign-in/sign-in.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { Ctx, Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import { fault } from '#/faults.ts'
import { principalView } from '../silos/silos.ts'

export const currentUser: Family<'currentUserView' | 'currentUserGroups' | 'currentUserPasswordUpdate'> = {
  async currentUserView(ctx, { query: { project } }) {
    permit(ctx)
    const { actor } = ctx
    return {
      id: actor.userId,
      displayName: actor.displayName,
      siloId: actor.siloId,
      siloName: actor.siloName,
      fleetViewer: permits(actor, 'fleet.viewer'),
      siloAdmin: mayModifySilo(actor),
      fleetRole: actor.fleetRole,
      siloRole: actor.siloRole,
      ...(isSession(actor) ? { sessionIdleSeconds: Math.floor(ctx.world.sessions.idleMs / 1000) } : {}),
      ...(project === undefined ? {} : { projectRole: await ownRoleOn(ctx, project) }),
    }
  },

  currentUserPasswordUpdate: {
    async withoutTransaction(request, { body: { currentPassword, newPassword } }) {
      const actor = await request.transaction('read', (ctx) => Promise.resolve(permitSession(ctx)))
      const wanted = { password: newPassword, username: actor.displayName }
      await checkNewPassword(request.world, wanted, 'new_password')
      const account = await verifyOwn(request, actor, currentPassword)
      if (!account) throw wrongPassword()
      const passwordHash = await request.world.passwords.hash(newPassword)
      await request.transaction('write', async (ctx) => {
        const { userId, displayName } = permitSession(ctx)
        noteTarget(ctx.unit, 'siloUser', { id: userId, displayName })
        await replacePassword(ctx, account.passwordHash, passwordHash)
        ctx.wake('tasks')
      })
      request.cookies.push(rememberOwn(request, actor, passwordHash))
    },
  },

  async currentUserGroups(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx
      .selectFrom('siloGroup')
      .where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('groupId').where('userId', '=', ctx.actor.userId),
      )
    return mapPage(await pageById(ctx, query, { rows, table: 'siloGroup' }), principalView)
  },
}

const wrongPassword = () => fault.invalidValue('current_password', 'it is not the current password')

/** Throws 400 if the password has changed since it was verified. */
async function replacePassword({ tx, now, actor }: Ctx, former: string, passwordHash: string): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('siloUser')
    .set({ passwordHash, timeModified: now })
    .where('id', '=', actor.userId)
    .where('passwordHash', '=', former)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw wrongPassword()
  await endAllOf(tx, { id: actor.userId }, actor.sessionId)
}
