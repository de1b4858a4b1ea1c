/** The snapshot schedules of disks: how they are set, and when runs are due. A loop runs them: `loops/schedules`. */
import { limits } from '@purlin/contract/rules/limits'
import { runAfter } from '@purlin/contract/rules/time/next-run'
import { isTimeZone, utc } from '@purlin/contract/rules/time/zones'
import type { Parsed } from '@purlin/contract/op'
import type { operations } from '@purlin/contract/operations'
import { resolve } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import { newRowId } from '#/db/row-id.ts'
import type { SnapshotScheduleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { setting } from '../kind/setting.ts'

type Row = SnapshotScheduleTable
type Disk = RowOf<'disk'>

const dayMs = 24 * 3_600_000

/** The first run of a schedule after a time, ms since 1970. */
export const nextRun = (row: Pick<Row, 'timeFirstRun' | 'everyHours' | 'timeZone'>, at: number): number =>
  runAfter({ type: 'hours', hours: row.everyHours, from: row.timeFirstRun }, row.timeZone ?? utc, at)

const scheduleOf = ({ tx }: Pick<Ctx, 'tx'>, disk: Disk): Promise<Row | undefined> =>
  tx.selectFrom('snapshotSchedule').selectAll().where('diskId', '=', disk.id).executeTakeFirst()

const timeOrNull = (at: number | null) => (at === null ? null : new Date(at))

const viewOf = (row: Row) => ({
  id: row.id,
  everyHours: row.everyHours,
  timeFirstRun: new Date(row.timeFirstRun),
  timeZone: row.timeZone ?? utc,
  keep: row.keep,
  paused: row.timeDue === null,
  userId: row.userId,
  timeCreated: new Date(row.timeCreated),
  timeModified: new Date(row.timeModified),
  timeNextRun: timeOrNull(row.timeDue),
  timeLastRun: timeOrNull(row.timeLastRun),
  lastError: row.lastError,
})

/** Sets the schedule. What has failed counts no more: another user may have set it, or room was made. */
async function update(ctx: Ctx, disk: Disk, body: BodyOf<'diskSnapshotScheduleUpdate'>) {
  const before = await scheduleOf(ctx, disk)
  const timeFirstRun = body.timeFirstRun?.getTime() ?? before?.timeFirstRun ?? ctx.now
  const { daysAhead } = limits.snapshotSchedule
  if (timeFirstRun > ctx.now + daysAhead * dayMs)
    throw fault.invalidValue('time_first_run', `it can be at most ${daysAhead} days ahead`)
  const timeZone = body.timeZone ?? before?.timeZone ?? null
  if (timeZone !== null && !isTimeZone(timeZone)) throw fault.notTimeZone()
  const { everyHours, keep } = body
  const row: Row = {
    id: before?.id ?? newRowId(ctx.world),
    diskId: disk.id,
    userId: ctx.actor.userId,
    everyHours,
    timeFirstRun,
    timeZone,
    keep,
    timeCreated: before?.timeCreated ?? ctx.now,
    timeModified: ctx.now,
    // A run may be due now.
    timeDue: body.paused === true ? null : nextRun({ timeFirstRun, everyHours, timeZone }, ctx.now - 1),
    leaseUntil: 0,
    timeLastRun: before?.timeLastRun ?? null,
    lastError: null,
    failedSince: null,
  }
  if (before) await ctx.tx.updateTable('snapshotSchedule').set(row).where('id', '=', row.id).execute()
  else await ctx.tx.insertInto('snapshotSchedule').values(row).execute()
  ctx.wake('schedules')
  return { schedule: viewOf(row) }
}

/** Deletes the schedule of a disk, if it has one. The snapshots that it has made stay. */
export const endSchedule = ({ tx }: Pick<Ctx, 'tx'>, disk: Pick<Disk, 'id'>) =>
  tx.deleteFrom('snapshotSchedule').where('diskId', '=', disk.id).executeTakeFirst()

const diskOf = (ctx: Ctx, { params, query }: Parsed<(typeof operations)['diskSnapshotScheduleView']>) =>
  resolve(ctx, 'disk', { ...params, ...query })

const settings = setting('diskSnapshotSchedule', {
  of: diskOf,
  view: async (ctx, disk) => {
    const row = await scheduleOf(ctx, disk)
    return { schedule: row ? viewOf(row) : null }
  },
  update,
})

export const snapshotSchedules: Family<'diskSnapshotScheduleDelete' | keyof typeof settings> = {
  ...settings,
  async diskSnapshotScheduleDelete(ctx, input) {
    const disk = await diskOf(ctx, input)
    const { numDeletedRows } = await endSchedule(ctx, disk)
    if (numDeletedRows === 0n) throw fault.noSnapshotSchedule(disk.name)
  },
}

/** Schedules whose last run has failed, with the names of what their disks are in. */
export const failingSchedules = (tx: Tx, { most, projectId }: { most: number; projectId?: string }) =>
  tx
    .selectFrom('snapshotSchedule')
    .innerJoin('disk', 'disk.id', 'snapshotSchedule.diskId')
    .innerJoin('project', 'project.id', 'disk.projectId')
    .innerJoin('silo', 'silo.id', 'disk.siloId')
    .select(['disk.id', 'disk.name', 'project.name as projectName', 'silo.name as siloName'])
    .select(['snapshotSchedule.failedSince', 'snapshotSchedule.lastError'])
    .where('snapshotSchedule.failedSince', '>', 0)
    .$if(projectId !== undefined, (of) => of.where('project.id', '=', projectId ?? ''))
    .where('snapshotSchedule.timeDue', 'is not', null)
    .orderBy('snapshotSchedule.failedSince')
    .limit(most)
    .execute()
