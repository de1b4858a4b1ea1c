/** Projects, which most resources belong to. A new one has a complete VPC named `default`. */
import { typeOf } from '@purlin/contract/rules/kinds'
import type { Family } from '#/context.ts'
import type { Listed } from '#/db/lists/listed.ts'
import { fault } from '#/faults.ts'
import { mapPage, pageByName } from '#/db/lists/pages.ts'
import { permit, resolve } from '#/auth/resolve.ts'
import {
  deleteContainer,
  identityChanges,
  identityView,
  insertNamed,
  newIdentity,
  updateNamed,
} from '../kind/rows.ts'
import { permits } from '#/auth/access.ts'
import { readPolicy, replacePolicy } from '../access/policies.ts'
import { createVpc, defaultVpc, deleteUntouchedDefaultVpc } from '../vpcs/vpcs.ts'

const view = (row: Listed<'project'>) => identityView(row)

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
    let rows = ctx.tx.selectFrom('project').where('siloId', '=', actor.siloId)
    if (!permits(actor, 'silo.viewer')) {
      // Members of single projects see those.
      rows = rows.where('id', 'in', [...actor.projectRoles.keys()])
    }
    return mapPage(await pageByName(ctx, query, { rows, table: 'project', holder: actor.siloId }), view)
  },

  async projectCreate(ctx, { body }) {
    permit(ctx)
    const row = { ...newIdentity(ctx, body), siloId: ctx.actor.siloId, rcgen: 0 }
    await insertNamed(ctx, 'project', row)
    await ctx.tx.insertInto('usage').values({ id: row.id, cpus: 0, memory: 0, storage: 0 }).execute()
    await createVpc(ctx, row, defaultVpc)
    return view(row)
  },

  async projectView(ctx, { params }) {
    return view(await resolve(ctx, 'project', params))
  },

  async projectUpdate(ctx, { params, body }) {
    const row = await resolve(ctx, 'project', params)
    return view(await updateNamed(ctx, ['project', row], identityChanges(ctx, body)))
  },

  async projectDelete(ctx, { params }) {
    const project = await resolve(ctx, 'project', params)
    // If anything else is in the project, the fault rolls this back as well.
    await deleteUntouchedDefaultVpc(ctx, project.id)
    await deleteContainer(ctx, ['project', project], ({ kind, name }) =>
      fault.projectNotEmpty(typeOf(kind, { projectId: project.id }).replaceAll('-', ' '), name),
    )
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
    return replacePolicy(ctx, { type: 'project', id: project.id, siloId: project.siloId }, body)
  },
}
