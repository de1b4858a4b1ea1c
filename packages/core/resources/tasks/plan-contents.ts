/** The items of a task that deletes a project with all of its contents. */
import type { OpShape } from '@purlin/contract/op'
import { operations } from '@purlin/contract/operations'
import { kindOf, kinds, type ChildOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { diskAnswer, diskStates, instanceAnswer } from '@purlin/contract/rules/states'
import { contentKinds, removalOf, type StepOperation } from '@purlin/contract/rules/tasks'
import { hasFleetRole, permits, wordsOf, type ProjectScope } from '#/auth/access.ts'
import { resolveTarget } from '#/auth/resolve.ts'
import type { Ctx, RequestContext } from '#/context.ts'
import { rowsOf } from '#/db/kinds.ts'
import type { TaskItemTable, TaskTable, Tx } from '#/db/tables.ts'
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

/**
 * Its steps, in order. Throws 400 if something is protected or cannot be deleted, before anything is done; 403 and 404
 * as its deletion does.
 */
export function planContents(request: RequestContext, ids: readonly string[]): Promise<Planned[]> {
  const [id] = ids
  if (id === undefined || ids.length > 1)
    throw fault.invalidValue('ids', '`delete_all` is done to one project at a time')
  return request.transaction('read', async (ctx) => {
    const { name, project: scope } = await resolveTarget(ctx, ['project', id], operations.projectDelete.allow)
    const project = { id: id.toLowerCase(), name: name ?? id }
    await refuseAnyProtected(ctx, project.id)
    await refuseStuckDisk(ctx, project.id)
    const steps = await stopsIn(ctx, project.id)
    for (const kind of contentKinds) {
      const rows = await contentsOf(ctx, kind, project.id)
      refuseWithoutRole(ctx, { kind, scope, rows })
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

// An attached disk is free once its instance has been deleted.
const stuck = diskStates.filter((state) => diskAnswer('delete', state) === 'refuse')

/** Throws 400 for a disk in a state that no step changes, such as one that is being imported. */
async function refuseStuckDisk({ tx }: Ctx, projectId: string): Promise<void> {
  const found = await tx
    .selectFrom('disk')
    .select(['name', 'state'])
    .where('projectId', '=', projectId)
    .where('instanceId', 'is', null)
    .where('state', 'in', stuck)
    .orderBy('name')
    .limit(1)
    .executeTakeFirst()
  if (found) throw fault.invalid(`disk "${found.name}" cannot be deleted in state "${found.state}"`)
}

/** Throws 400 if the caller may delete the project, but not this in it. */
function refuseWithoutRole(
  { actor }: Ctx,
  {
    kind,
    scope,
    rows: [first],
  }: { kind: ChildOf<'project'>; scope: ProjectScope | undefined; rows: readonly { name: string }[] },
): void {
  const op: OpShape = operations[removalOf(kind)]
  if (!first || (permits(actor, op.allow, { project: scope }) && hasFleetRole(actor, op))) return
  const role = op.alsoNeeds ?? wordsOf(op.allow).join(' or ')
  throw fault.invalid(`${kinds[kind].noun} "${first.name}" can be deleted only with the role ${role}`)
}

/** Throws 400 if the project of a step has been protected since it was planned, or its image promoted out of it. */
export async function checkStep(
  tx: Tx,
  { action }: Pick<TaskTable, 'action'>,
  { itemId, name, inProject, operation }: Pick<TaskItemTable, 'itemId' | 'name' | 'inProject' | 'operation'>,
): Promise<void> {
  if (action !== 'delete_all' || inProject === null) return
  const project = await tx
    .selectFrom('project')
    .select(['name', 'isProtected'])
    .where('id', '=', inProject)
    .executeTakeFirst()
  if (project?.isProtected === 1) throw fault.protected(kinds.project.noun, project.name)
  if (operation !== 'imageDelete') return
  const image = await tx.selectFrom('image').select('projectId').where('id', '=', itemId).executeTakeFirst()
  if (image && image.projectId !== inProject)
    throw fault.invalid(`image "${name}" is no longer in the project`)
}
