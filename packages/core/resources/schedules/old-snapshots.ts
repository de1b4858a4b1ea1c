/**
 * The snapshots that schedules of projects have made, and which of them are old: those that the rule of the schedule does not
 * keep. A run deletes them after it has taken the new ones, as steps of its task.
 */
import { limits } from '@purlin/contract/rules/limits'
import type { ScheduleTarget } from '@purlin/contract/rules/time/schedules'
import { skipReason } from '@purlin/contract/rules/tasks'
import { keptOf, type Retention } from '@purlin/contract/rules/time/retention'
import { permit } from '#/auth/resolve.ts'
import type { RequestContext } from '#/context.ts'
import { batches } from '#/db/batches.ts'
import type { ScheduleTable, TaskItemTable, TaskTable, Tx } from '#/db/tables.ts'
import { snapshotNameFor, wholeNameFor, type Planned } from '../tasks/task-items.ts'

type Schedule = Pick<ScheduleTable, 'id' | 'keepJson' | 'timeZone'>

/** A snapshot, single or of an instance. */
interface Made {
  id: string
  name: string
  /** When it was made. */
  at: number
  /** The disk or the instance. */
  targetId: string
  projectId: string
  isProtected: boolean
  state: 'ready' | 'creating' | 'other'
}

const stepOf = { instance: 'instanceSnapshotDelete', disk: 'snapshotDelete' } as const
const perRead = 100

/** The snapshots of some disks or instances by a schedule, the newest first. */
const madeOf = (tx: Tx, schedule: Pick<Schedule, 'id'>, [kind, ids]: [ScheduleTarget, readonly string[]]) =>
  kind === 'disk' ? madeOfDisks(tx, schedule, ids) : madeOfInstances(tx, schedule, ids)

async function madeOfDisks(tx: Tx, { id }: Pick<Schedule, 'id'>, ids: readonly string[]): Promise<Made[]> {
  const rows = await tx
    .selectFrom('snapshot')
    .select(['id', 'name', 'timeCreated', 'diskId', 'projectId', 'isProtected', 'state'])
    .where('scheduleId', '=', id)
    .where('diskId', 'in', ids)
    .orderBy('timeCreated', 'desc')
    .orderBy('id', 'desc')
    .execute()
  return rows.map(({ timeCreated: at, diskId: targetId, isProtected, state, ...row }) => ({
    ...row,
    at,
    targetId,
    isProtected: isProtected === 1,
    state: state === 'ready' || state === 'creating' ? state : 'other',
  }))
}

async function madeOfInstances(
  tx: Tx,
  { id }: Pick<Schedule, 'id'>,
  ids: readonly string[],
): Promise<Made[]> {
  const rows = await tx
    .selectFrom('instanceSnapshot as whole')
    .select(['whole.id', 'whole.name', 'whole.timeCreated', 'whole.instanceId', 'whole.projectId'])
    .select('whole.isProtected')
    .select((eb) => {
      const parts = eb.selectFrom('snapshot').whereRef('snapshot.instanceSnapshotId', '=', 'whole.id')
      const some = (which: typeof parts) => eb.exists(which.select('snapshot.id'))
      return [
        some(parts.where('isProtected', '=', 1)).as('hasProtected'),
        some(parts.where('state', '=', 'creating')).as('isCreating'),
        some(parts.where('state', 'not in', ['creating', 'ready'])).as('isBroken'),
      ]
    })
    .where('whole.scheduleId', '=', id)
    .where('whole.instanceId', 'in', ids)
    .orderBy('whole.timeCreated', 'desc')
    .orderBy('whole.id', 'desc')
    .execute()
  return rows.map(
    ({ timeCreated: at, instanceId: targetId, isProtected, hasProtected, isCreating, isBroken, ...row }) => ({
      ...row,
      at,
      targetId,
      isProtected: isProtected === 1 || Boolean(hasProtected),
      state: isBroken ? 'other' : isCreating ? 'creating' : 'ready',
    }),
  )
}

/** Those of one disk or instance that are not kept. Broken ones neither count nor are deleted. */
function oldAmong<T extends Pick<Made, 'at' | 'state'>>(made: readonly T[], schedule: Schedule): T[] {
  const whole = made.filter(({ state }) => state === 'ready')
  const kept = keptOf(whole, JSON.parse(schedule.keepJson ?? '{}') as Retention, schedule.timeZone)
  return whole.filter((one) => !kept.has(one))
}

/** The steps that delete what will be old once a run has taken a snapshot of each item, the oldest first. */
export async function planOld(
  request: RequestContext,
  schedule: ScheduleTable,
  { kind, items }: { kind: ScheduleTarget; items: readonly Planned[] },
): Promise<Planned[]> {
  const taken = items.filter(({ state }) => state === 'pending')
  const steps: Planned[] = []
  for (const some of batches(taken, perRead)) {
    const ids = some.map(({ itemId }) => itemId)
    const made = await request.transaction('read', (ctx) => {
      permit(ctx, 'user')
      return madeOf(ctx.tx, schedule, [kind, ids])
    })
    const byTarget = Map.groupBy(made, ({ targetId }) => targetId)
    for (const { itemId, name } of some) {
      const own = byTarget.get(itemId) ?? []
      const next = { at: request.now, state: 'ready' as const }
      const old = oldAmong<Made | typeof next>([next, ...own], schedule).filter((one) => 'id' in one)
      steps.push(...old.toReversed().map((one) => stepFor(one, { kind, target: name })))
    }
  }
  // A later run deletes the others.
  return steps.slice(0, limits.task.items)
}

function stepFor(made: Made, { kind, target }: { kind: ScheduleTarget; target: string }): Planned {
  const message = skipReason('snapshot', 'delete', made)
  return {
    itemId: made.id,
    // Those of instances have equal names.
    name: kind === 'instance' ? `${made.name} of ${target}` : made.name,
    inProject: made.projectId,
    operation: stepOf[kind],
    state: message === undefined ? 'pending' : 'skipped',
    code: null,
    message: message ?? null,
  }
}

type Step = Pick<TaskItemTable, 'itemId' | 'operation'>
type Run = Pick<TaskTable, 'scheduleId'>
const kindsOfSteps = { [stepOf.instance]: 'instance', [stepOf.disk]: 'disk' } as const

/**
 * Why the snapshot of a step stays after all: a new one may have failed, or it was protected. `waits` while a newer one is
 * being created. Undefined for one that is deleted, and for other steps.
 */
export async function reasonToKeep(
  tx: Tx,
  { scheduleId }: Run,
  { itemId, operation }: Step,
): Promise<{ reason: string; waits?: true } | undefined> {
  if (scheduleId === null || (operation !== stepOf.instance && operation !== stepOf.disk)) return undefined
  const kind = kindsOfSteps[operation]
  const schedule = await tx
    .selectFrom('schedule')
    .select(['id', 'keepJson', 'timeZone'])
    .where('id', '=', scheduleId)
    .executeTakeFirst()
  if (!schedule || schedule.keepJson === null)
    return { reason: 'kept: the schedule keeps no number of snapshots any more' }
  const target = await targetOfStep(tx, kind, itemId)
  if (target === undefined) return { reason: 'deleted already' }
  const made = await madeOf(tx, schedule, [kind, [target]])
  if (made.some(({ state }) => state === 'creating'))
    return { reason: 'kept: a newer one is not ready yet', waits: true }
  const old = oldAmong(made, schedule).find(({ id }) => id === itemId)
  const reason = old
    ? skipReason('snapshot', 'delete', old)
    : 'kept: it is among those that the schedule keeps'
  return reason === undefined ? undefined : { reason }
}

async function targetOfStep(tx: Tx, kind: ScheduleTarget, id: string): Promise<string | undefined> {
  if (kind === 'disk')
    return (await tx.selectFrom('snapshot').select('diskId').where('id', '=', id).executeTakeFirst())?.diskId
  const whole = tx.selectFrom('instanceSnapshot').select('instanceId').where('id', '=', id)
  return (await whole.executeTakeFirst())?.instanceId
}

/** Marks the snapshot that an item has made as one of the schedule, in its transaction. */
export async function markMade(
  tx: Tx,
  task: Pick<TaskTable, 'scheduleId' | 'action' | 'kind' | 'namePattern' | 'at'>,
  { itemId, name, inProject, operation }: Pick<TaskItemTable, 'itemId' | 'name' | 'inProject' | 'operation'>,
): Promise<void> {
  const { scheduleId } = task
  if (scheduleId === null || operation !== null) return
  if (task.action === 'snapshot_together')
    await tx
      .updateTable('instanceSnapshot')
      .set({ scheduleId })
      .where('instanceId', '=', itemId)
      .where('name', '=', wholeNameFor(task, task.at))
      .execute()
  else if (task.action === 'snapshot')
    await tx
      .updateTable('snapshot')
      .set({ scheduleId })
      .where('projectId', '=', inProject ?? '')
      .where('name', '=', snapshotNameFor(task, name, task.at))
      .execute()
}
