/** Runs of schedules: each is a task, which stores how it ends on its schedule. */
import { countOf, kinds } from '@purlin/contract/rules/kinds'
import { runAction, type ScheduleAction } from '@purlin/contract/rules/time/schedules'
import { patternsOfSchedule } from '@purlin/contract/rules/snapshot-names'
import { resolve } from '#/auth/resolve.ts'
import { noteTarget } from '#/audit/touched.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { ScheduleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plan } from '../tasks/task-plan.ts'
import { begin } from '../tasks/tasks.ts'
import { planOld } from './old-snapshots.ts'
import { nextRun } from './schedules.ts'
import { idsIn, tagOf, targetKind } from './targets.ts'

type Row = ScheduleTable

const lists = { instance: '/v1/instances', disk: '/v1/disks' } as const

/** The task of a run: all resources that it is for at that moment. */
function taskOf(row: Row): BodyOf<'taskCreate'> {
  const kind = targetKind(row)
  const action = runAction(row.action, kind)
  if (action === undefined) throw new Error(`the schedule does ${row.action} to what it is not done to`)
  const tag = tagOf(row)
  return {
    kind,
    action,
    ...(row.action === 'snapshot' ? { namePattern: patternsOfSchedule(row.name)[kind] } : {}),
    ...(tag === null
      ? { ids: idsIn(row) ?? [] }
      : { query: `${lists[kind]}?project=${row.projectId}&filter=${encodeURIComponent(`tag:${tag}`)}` }),
  }
}

/** Stores that a run was begun. Throws 409 if another one was, or the schedule has changed, which undoes it. */
async function noteRun(ctx: Ctx, row: Row, taskId: string): Promise<void> {
  const { numUpdatedRows } = await ctx.tx
    .updateTable('schedule')
    .set({
      taskId,
      timeLastRun: ctx.now,
      timeDue: row.timeDue === null ? null : nextRun(row, ctx.now),
      leaseUntil: 0,
    })
    .where('id', '=', row.id)
    .where('timeModified', '=', row.timeModified)
    .where('leaseUntil', '=', row.leaseUntil)
    .where('taskId', row.taskId === null ? 'is' : '=', row.taskId)
    .executeTakeFirst()
  if (numUpdatedRows === 0n) throw fault.conflict('the schedule has changed, or another run has begun')
  noteTarget(ctx.unit, 'schedule', row)
}

export const scheduleRuns: Family<'scheduleRun'> = {
  scheduleRun: {
    async withoutTransaction(request, { params, query }) {
      const row = await request.transaction('read', (ctx) =>
        resolve(ctx, 'schedule', { ...params, ...query }),
      )
      const { spec, items } = await plan(request, taskOf(row), { waits: true })
      const old = row.keepJson === null ? [] : await planOld(request, row, { kind: targetKind(row), items })
      return begin(request, {
        spec,
        items: [...items, ...old],
        retryOf: null,
        scheduleId: row.id,
        also: (ctx, id) => noteRun(ctx, row, id),
      })
    },
  },
}

/**
 * Stores how the task of a run has ended, on the schedule that has begun it: it fails until a run has succeeded. One that was
 * canceled says neither.
 */
export async function noteRunEnded(
  tx: Tx,
  taskId: string,
  { failed, isWhole, now }: { failed: number; isWhole: boolean; now: number },
) {
  const schedule = await tx
    .selectFrom('schedule')
    .select(['id', 'failedSince', 'instancesJson', 'tag', 'disksJson', 'diskTag'])
    .where('taskId', '=', taskId)
    .executeTakeFirst()
  if (!schedule || (failed === 0 && !isWhole)) return
  const change =
    failed === 0
      ? { lastError: null, failedSince: null }
      : {
          lastError: failureWords(failed, { notDeleted: await countNotDeleted(tx, taskId), of: schedule }),
          failedSince: schedule.failedSince ?? now,
        }
  await tx.updateTable('schedule').set(change).where('id', '=', schedule.id).execute()
}

function failureWords(
  failed: number,
  { notDeleted, of }: { notDeleted: number; of: Parameters<typeof targetKind>[0] },
): string {
  const { noun } = kinds[targetKind(of)]
  const others = failed - notDeleted
  const words = [
    ...(others === 0 ? [] : [`it failed for ${others === 1 ? `one ${noun}` : countOf(others, noun)}`]),
    ...(notDeleted === 0 ? [] : [`${countOf(notDeleted, 'old snapshot')} could not be deleted`]),
  ]
  return words.join(', and ')
}

/** Deletions of old snapshots that have failed. */
async function countNotDeleted(tx: Tx, taskId: string): Promise<number> {
  const { count } = await tx
    .selectFrom('taskItem')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('taskId', '=', taskId)
    .where('state', '=', 'failed')
    .where('operation', 'is not', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** Starts and stops: another one would find its instances in between. */
const ofStates = ['start', 'stop'] as const satisfies readonly ScheduleAction[]

/**
 * Whether a run that this one would disturb is under way in the project. Snapshots and changes of states do not wait for each other: the
 * items of a task wait for their instances.
 */
export async function isRunUnderWay(
  tx: Tx,
  { projectId, action }: Pick<Row, 'projectId' | 'action'>,
): Promise<boolean> {
  const row = await tx
    .selectFrom('schedule')
    .innerJoin('task', 'task.id', 'schedule.taskId')
    .select('schedule.id')
    .where('schedule.projectId', '=', projectId)
    .where('schedule.action', action === 'snapshot' ? 'not in' : 'in', ofStates)
    .where('task.timeEnded', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those whose last run has failed, with the names of what they are in. */
export const failingRuns = (tx: Tx, { most, projectId }: { most: number; projectId?: string }) =>
  tx
    .selectFrom('schedule')
    .innerJoin('project', 'project.id', 'schedule.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .select(['schedule.id', 'schedule.name', 'project.name as projectName', 'silo.name as siloName'])
    .select(['schedule.failedSince', 'schedule.lastError'])
    .where('schedule.failedSince', '>', 0)
    .$if(projectId !== undefined, (of) => of.where('project.id', '=', projectId ?? ''))
    .where('schedule.timeDue', 'is not', null)
    .orderBy('schedule.failedSince')
    .limit(most)
    .execute()
