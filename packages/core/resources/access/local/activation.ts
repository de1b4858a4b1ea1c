/** Local users who may not sign in for a time. */
import { keepingAdmins } from '#/auth/admins.ts'
import { endAllOf } from '#/auth/sessions.ts'
import type { Ctx, Family } from '#/context.ts'
import { localSilo, permitAs, personOf } from './silo.ts'

export const activation: Family<'localIdpUserDeactivate' | 'localIdpUserActivate'> = {
  async localIdpUserDeactivate(ctx, { params, query }) {
    const silo = await localSilo(ctx, query)
    const user = await personOf(ctx, silo, params.userId)
    if (user.timeDeactivated !== null) return
    await keepingAdmins(ctx, silo.id, () => store(ctx, { ...user, timeDeactivated: ctx.now }))
    await endAllOf(ctx.tx, user)
    ctx.wake('tasks')
  },

  async localIdpUserActivate(ctx, { params, query }) {
    const silo = await localSilo(ctx, query)
    const user = await personOf(ctx, silo, params.userId)
    await permitAs(ctx, user)
    if (user.timeDeactivated !== null) await store(ctx, { ...user, timeDeactivated: null })
  },
}

async function store(
  { tx, now }: Ctx,
  { id, timeDeactivated }: { id: string; timeDeactivated: number | null },
): Promise<void> {
  await tx.updateTable('siloUser').set({ timeDeactivated, timeModified: now }).where('id', '=', id).execute()
}
