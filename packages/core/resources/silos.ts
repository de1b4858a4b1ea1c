/** The actor's silo: its users, groups and utilization. */
import type { Family } from '#/context.ts'
import { mapPage, pageById } from '#/db/pages.ts'
import { permit, resolve, resolveToRead } from '#/auth/resolve.ts'
import { visible } from '#/auth/visible.ts'
import { readUtilization } from './quotas.ts'

interface Principal {
  id: string
  displayName: string
  siloId: string
}
/** A user or group as clients see it. */
export const principalView = ({ id, displayName, siloId }: Principal): Principal => ({
  id,
  displayName,
  siloId,
})

export const silo: Family<'groupList' | 'groupView' | 'userList' | 'userView' | 'utilizationView'> = {
  async groupList(ctx, { query }) {
    permit(ctx)
    return mapPage(
      await pageById(ctx, query, { rows: visible.siloGroup(ctx).clearSelect(), table: 'siloGroup' }),
      principalView,
    )
  },

  async groupView(ctx, { params }) {
    return principalView(await resolve(ctx, 'siloGroup', params))
  },

  async userList(ctx, { query }) {
    permit(ctx)
    let rows = visible.siloUser(ctx).clearSelect()
    if (query.group != null) {
      const group = await resolveToRead(ctx, 'siloGroup', { groupId: query.group })
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('userId').where('groupId', '=', group.id),
      )
    }
    return mapPage(await pageById(ctx, query, { rows, table: 'siloUser' }), principalView)
  },

  async userView(ctx, { params }) {
    return principalView(await resolve(ctx, 'siloUser', params))
  },

  async utilizationView(ctx) {
    permit(ctx)
    const { used, quota } = await readUtilization(ctx, ctx.actor.siloId)
    return { provisioned: used, capacity: quota }
  },
}
