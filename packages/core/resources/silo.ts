/** The own silo: its users, groups and utilization. Nothing here reaches into another silo. */
import type { Ctx, Family } from '../context.ts'
import { fault } from '../faults.ts'
import { mapPage, pageById } from '../pages.ts'
import { permit } from '../resolve.ts'
import { readUtilization } from './quota.ts'

interface Identity {
  id: string
  displayName: string
  siloId: string
}
const identityView = ({ id, displayName, siloId }: Identity): Identity => ({ id, displayName, siloId })

/** A group as clients see it. */
export const groupView = identityView

export const silo: Family<'groupList' | 'groupView' | 'userList' | 'userView' | 'utilizationView'> = {
  async groupList(ctx, { query }) {
    permit(ctx)
    const rows = ctx.tx.selectFrom('siloGroup').selectAll().where('siloId', '=', ctx.actor.siloId)
    return mapPage(await pageById(ctx, query, rows), groupView)
  },

  async groupView(ctx, { params }) {
    permit(ctx)
    return groupView(await identity(ctx, 'siloGroup', params.groupId))
  },

  async userList(ctx, { query }) {
    permit(ctx)
    let rows = ctx.tx.selectFrom('siloUser').selectAll().where('siloId', '=', ctx.actor.siloId)
    if (query.group != null) {
      const group = await identity(ctx, 'siloGroup', query.group)
      rows = rows.where('id', 'in', (eb) =>
        eb.selectFrom('groupMember').select('userId').where('groupId', '=', group.id),
      )
    }
    return mapPage(await pageById(ctx, query, rows), identityView)
  },

  async userView(ctx, { params }) {
    permit(ctx)
    return identityView(await identity(ctx, 'siloUser', params.userId))
  },

  async utilizationView(ctx) {
    permit(ctx)
    const { used, quota } = await readUtilization(ctx, ctx.actor.siloId)
    return { provisioned: used, capacity: quota }
  },
}

const labels = { siloUser: 'silo-user', siloGroup: 'silo-group' } as const

async function identity(ctx: Ctx, table: keyof typeof labels, id: string): Promise<Identity> {
  const row = await ctx.tx
    .selectFrom(table)
    .select(['id', 'displayName', 'siloId'])
    .where('id', '=', id.toLowerCase())
    .where('siloId', '=', ctx.actor.siloId)
    .executeTakeFirst()
  if (!row) throw fault.notFound(labels[table], id)
  return row
}
