/** The items of a task that deletes a project with all of its contents. */
import { operations } from '@purlin/contract/operations'
import { kindOf, kinds, type ChildOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { instanceAnswer } from '@purlin/contract/rules/states'
import { contentKinds, removalOf, type StepOperation } from '@purlin/contract/rules/tasks'
import { resolveTarget } from '#/auth/resolve.ts'
import type { Ctx, RequestContext } from '#/context.ts'
import { rowsOf } from '#/db/kinds.ts'
import { fault } from '#/faults.ts'
import type { Planned } from './task-items.ts'

const most = limits.task.items
const step = (operation: StepOperation, row: { id: string; name: string }, inProject: string): Planned => ({
  itemId: row.id,
  name: row.name,
  inProject,
  operation,
  state: 'pending',
  code: null,
  message: null,
})

/** Its steps, in order. Throws 400 if something is protected, before anything is done; 403 and 404 as its deletion does. */
export function planContents(request: RequestContext, ids: readonly string[]): Promise<Planned[]> {
  const [id] = ids
  if (id === undefined || ids.length > 1)
    throw fault.invalidValue('ids', '`delete_all` is done to one project at a time')
  return request.transaction('read', async (ctx) => {
    const { name } = await resolveTarget(ctx, ['project', id], operations.projectDelete.allow)
    const project = { id: id.toLowerCase(), name: name ?? id }
    await refuseAnyProtected(ctx, project.id)
    const steps = await stopsIn(ctx, project.id)
    for (const kind of contentKinds) {
      const rows = await contentsOf(ctx, kind, project.id)
      steps.push(...rows.map((row) => step(removalOf(kind), row, project.id)))
      if (steps.length >= most) throw fault.invalid(`the project takes more than ${most} steps to delete`)
    }
    return [...steps, step('projectDelete', project, project.id)]
  })
}

const contentsOf = ({ tx }: Ctx, kind: ChildOf<'project'>, projectId: string) =>
  rowsOf(tx, kind)
    .select(['id', 'name'])
    .where('projectId', '=', projectId)
    .orderBy('name')
    .limit(most)
    .execute()

/** Stops the instances that cannot be deleted as they are. */
async function stopsIn({ tx }: Ctx, projectId: string): Promise<Planned[]> {
  const rows = await tx
    .selectFrom('instance')
    .select(['id', 'name', 'runState'])
    .where('projectId', '=', projectId)
    .orderBy('name')
    .limit(most)
    .execute()
  return rows
    .filter(({ runState }) => instanceAnswer('delete', runState) === 'refuse')
    .filter(({ runState }) => instanceAnswer('stop', runState) === 'act')
    .map((row) => step('instanceStop', row, projectId))
}

async function refuseAnyProtected({ tx }: Ctx, projectId: string): Promise<void> {
  for (const kind of ['project', ...contentKinds] as const) {
    if (kindOf(kind).filters?.['protected'] === undefined) continue
    const found = await rowsOf(tx, kind)
      .select('name')
      .where(kind === 'project' ? 'id' : 'projectId', '=', projectId)
      .where('isProtected', '=', 1)
      .orderBy('name')
      .limit(1)
      .executeTakeFirst()
    if (found) throw fault.protected(kinds[kind].noun, found.name)
  }
}
