/** Projects: the scope of nearly everything else. A new one comes with a complete VPC named `default`. */
import type { Selectable } from 'kysely'
import type { Ctx, Family } from '../context.ts'
import type { ProjectTable, Tables } from '../db/tables.ts'
import { fault } from '../faults.ts'
import { mapPage, pageByName } from '../pages.ts'
import { permit, resolve } from '../resolve.ts'
import { addChild, headChanges, headView, newHead, orExists } from '../rows.ts'
import { permits } from '../access.ts'
import { readPolicy, replacePolicy } from './policy.ts'
import { createVpc } from './vpc.ts'

const view = (row: Selectable<ProjectTable>) => headView(row)

export const projects: Family<
  | 'projectList'
  | 'projectCreate'
  | 'projectView'
  | 'projectUpdate'
  | 'projectDelete'
  | 'projectPolicyView'
  | 'projectPolicyUpdate'
> = {
  async projectList(ctx, { query }) {
    permit(ctx)
    const { actor } = ctx
    let rows = ctx.tx.selectFrom('project').selectAll().where('siloId', '=', actor.siloId)
    if (!permits(actor, 'silo.viewer')) {
      // Members of single projects see those; who has no role anywhere is told so.
      if (actor.projectRoles.size === 0) throw fault.forbidden()
      rows = rows.where('id', 'in', [...actor.projectRoles.keys()])
    }
    return mapPage(await pageByName(ctx, query, rows), view)
  },

  async projectCreate(ctx, { body }) {
    permit(ctx)
    const row = { ...newHead(ctx, body), siloId: ctx.actor.siloId, rcgen: 0 }
    await orExists('project', body.name, ctx.tx.insertInto('project').values(row).execute())
    await ctx.tx.insertInto('usage').values({ id: row.id, cpus: 0, memory: 0, storage: 0 }).execute()
    await addChild(ctx, 'silo', row.siloId)
    await createVpc(ctx, row, { name: 'default', description: 'Default VPC', dnsName: 'default' })
    return view(row)
  },

  async projectView(ctx, { params }) {
    return view(await resolve(ctx, 'project', params))
  },

  async projectUpdate(ctx, { params, body }) {
    const row = await resolve(ctx, 'project', params)
    const changes = headChanges(ctx, body)
    const write = ctx.tx.updateTable('project').set(changes).where('id', '=', row.id).execute()
    await orExists('project', body.name ?? row.name, write)
    return view({ ...row, ...changes })
  },

  async projectDelete(ctx, { params }) {
    const project = await resolve(ctx, 'project', params)
    await refuseChildren(ctx, project.id)
    const done = await ctx.tx
      .deleteFrom('project')
      .where('id', '=', project.id)
      .where('rcgen', '=', project.rcgen)
      .executeTakeFirst()
    if (done.numDeletedRows === 0n) throw fault.concurrentDelete()
    await ctx.tx.deleteFrom('usage').where('id', '=', project.id).execute()
    await ctx.tx
      .deleteFrom('roleAssignment')
      .where('resourceType', '=', 'project')
      .where('resourceId', '=', project.id)
      .execute()
  },

  async projectPolicyView(ctx, { params }) {
    const project = await resolve(ctx, 'project', params)
    return readPolicy(ctx, { type: 'project', id: project.id })
  },

  async projectPolicyUpdate(ctx, { params, body }) {
    const project = await resolve(ctx, 'project', params)
    return replacePolicy(ctx, { type: 'project', id: project.id }, body)
  },
}

// The first kind found is named, in this order.
const children: { table: keyof Tables; noun: string; where?: [string, string] }[] = [
  { table: 'instance', noun: 'instance' },
  { table: 'disk', noun: 'disk' },
  { table: 'externalIp', noun: 'floating ip', where: ['kind', 'floating'] },
  { table: 'image', noun: 'project image' },
  { table: 'snapshot', noun: 'snapshot' },
  { table: 'vpc', noun: 'vpc' },
  { table: 'affinityGroup', noun: 'affinity group', where: ['kind', 'affinity'] },
  { table: 'affinityGroup', noun: 'anti affinity group', where: ['kind', 'anti_affinity'] },
]

async function refuseChildren(ctx: Ctx, projectId: string): Promise<void> {
  for (const { table, noun, where } of children) {
    let query = ctx.tx
      .selectFrom(table as 'instance')
      .select('name')
      .where('projectId', '=', projectId)
    if (where) query = query.where(where[0] as 'name', '=', where[1])
    const child = await query.orderBy('name').limit(1).executeTakeFirst()
    if (child) throw fault.projectNotEmpty(noun, child.name)
  }
}
