/** The signed-in user. */
import { mayModifySilo, permits } from '#/auth/access.ts'
import { permit } from '#/auth/resolve.ts'
import type { Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/lists/pages.ts'
import { principalView } from '../silos/silos.ts'

export const currentUser: Family<'currentUserView' | 'currentUserGroups'> = {
  currentUserView(ctx) {
    permit(ctx)
    const { actor } = ctx
    return Promise.resolve({
      id: actor.userId,
      displayName: actor.displayName,
      siloId: actor.siloId,
      siloName: actor.siloName,
      fleetViewer: permits(actor, 'fleet.viewer'),
      siloAdmin: mayModifySilo(actor),
    })
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
