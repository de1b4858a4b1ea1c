/** Schedules of a project: what they do, to which instances, and when. A loop runs them: `loops/schedules`. */
import type { Result } from '@purlin/contract/op'
import type { Operations } from '@purlin/contract/operations'
import { tagIn, tagKeyProblem, tagValueProblem } from '@purlin/contract/rules/tags'
import { runAfter, weekdays, type TimeRule } from '@purlin/contract/rules/time/next-run'
import { isTimeZone, utc } from '@purlin/contract/rules/time/zones'
import { resolve, resolveToRead } from '#/auth/resolve.ts'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import type { RowOf } from '#/db/kinds.ts'
import type { ScheduleTable, Tx } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import { identityChanges, identityView, insertNamed, newIdentity, updateNamed } from '../kind/rows.ts'
import { plan } from '../tasks/task-plan.ts'
import { begin } from '../tasks/tasks.ts'

type Row = ScheduleTable
type View = Result<Operations['scheduleView']>
type Rule = View['rule']

const minuteMs = 60_000

/** The first run after a time, ms since 1970. */
export const nextRun = ({ ruleJson, timeZone }: Pick<Row, 'ruleJson' | 'timeZone'>, at: number): number =>
  runAfter(JSON.parse(ruleJson) as TimeRule, timeZone, at)

/** The rule as it is stored. Throws 400. */
function storedRule(rule: Rule, now: number): TimeRule {
  if (rule.type === 'hours')
    return { type: 'hours', hours: rule.hours, from: rule.timeFirstRun?.getTime() ?? now }
  const minute = minuteOf(rule.time)
  if (rule.type === 'daily') return { type: 'daily', minute }
  if (rule.type === 'monthly') return { type: 'monthly', day: rule.day, minute }
  if (rule.days.length === 0) throw fault.invalidValue('days', 'at least one day is needed')
  return {
    type: 'weekly',
    days: [...new Set(rule.days.map((day) => weekdays.indexOf(day)))].toSorted((a, b) => a - b),
    minute,
  }
}

function minuteOf(time: string): number {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  if (hours === undefined) throw fault.invalidValue('time', 'it must be a time of day, such as 18:30')
  return Number(hours) * 60 + Number(minutes)
}

const timeOfMinute = (minute: number) => new Date(minute * minuteMs).toISOString().slice(11, 16)

function ruleView(rule: TimeRule): Rule {
  if (rule.type === 'hours') return { type: 'hours', hours: rule.hours, timeFirstRun: new Date(rule.from) }
  const time = timeOfMinute(rule.minute)
  if (rule.type === 'daily') return { type: 'daily', time }
  if (rule.type === 'monthly') return { type: 'monthly', day: rule.day, time }
  return { type: 'weekly', days: rule.days.flatMap((day) => weekdays[day] ?? []), time }
}

const timeOrNull = (at: number | null) => (at === null ? null : new Date(at))
const idsIn = (row: Pick<Row, 'instancesJson'>): string[] | null =>
  row.instancesJson === null ? null : (JSON.parse(row.instancesJson) as string[])

const view = (row: Row): View => ({
  ...identityView(row),
  projectId: row.projectId,
  userId: row.userId,
  action: row.action,
  instances: idsIn(row)?.map((id) => ({ id })) ?? null,
  tag: row.tag,
  rule: ruleView(JSON.parse(row.ruleJson) as TimeRule),
  timeZone: row.timeZone,
  paused: row.timeDue === null,
  timeNextRun: timeOrNull(row.timeDue),
  timeLastRun: timeOrNull(row.timeLastRun),
  lastError: row.lastError,
  timeFailedSince: timeOrNull(row.failedSince),
  task: row.taskId,
})

/** With the names of its instances; those that are gone have none. */
async function viewOne({ tx }: Ctx, row: Row): Promise<View> {
  const ids = idsIn(row)
  if (!ids?.length) return view(row)
  const rows = await tx.selectFrom('instance').select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  return { ...view(row), instances: ids.map((id) => ({ id, name: names.get(id) ?? null })) }
}

type Target = Pick<Row, 'instancesJson' | 'tag'>

/** The instances that a request names. Undefined if it names none. Throws 400, 404. */
async function targetOf(
  ctx: Ctx,
  { instances, tag }: BodyOf<'scheduleUpdate'>,
  { project, kept = [] }: { project: string; kept?: readonly string[] },
): Promise<Target | undefined> {
  if (instances == null && tag == null) return undefined
  if (instances != null && tag != null) throw fault.invalid('either `instances` or `tag` must be given')
  if (tag != null) return { instancesJson: null, tag: checkedTag(tag) }
  if (instances?.length === 0) throw fault.invalidValue('instances', 'at least one is needed')
  const ids = new Set<string>()
  for (const instance of instances ?? []) {
    // Those that are gone may stay, so that the rest can be changed.
    if (kept.includes(instance)) ids.add(instance)
    else ids.add((await instanceIn(ctx, instance, project)).id)
  }
  return { instancesJson: JSON.stringify([...ids]), tag: null }
}

async function instanceIn(ctx: Ctx, instance: string, project: string): Promise<RowOf<'instance'>> {
  const row = await resolveToRead(ctx, 'instance', { instance, within: { project } })
  if (row.projectId !== project) throw fault.invalidValue('instances', `"${row.name}" is in another project`)
  return row
}

function checkedTag(text: string): string {
  const { key, value } = tagIn(text)
  const problem = tagKeyProblem(key) ?? (value === undefined ? undefined : tagValueProblem(value))
  if (problem !== undefined) throw fault.invalidValue('tag', problem)
  return text
}

function checkedZone(timeZone: string): string {
  if (isTimeZone(timeZone)) return timeZone
  throw fault.notTimeZone()
}

/** The user in whose name it runs from now on: what has failed before counts no more. */
const setBy = (ctx: Ctx) => ({ userId: ctx.actor.userId, lastError: null, failedSince: null })

/** When it is due after its times were set. */
function begun(ctx: Ctx, row: Pick<Row, 'ruleJson' | 'timeZone'>, isPaused: boolean) {
  ctx.wake('schedules')
  return {
    ...setBy(ctx),
    // A run may be due now.
    timeDue: isPaused ? null : nextRun(row, ctx.now - 1),
    leaseUntil: 0,
  }
}

async function create(ctx: Ctx, project: RowOf<'project'>, body: BodyOf<'scheduleCreate'>): Promise<Row> {
  const target = await targetOf(ctx, body, { project: project.id })
  if (!target) throw fault.invalid('either `instances` or `tag` must be given')
  const when = {
    ruleJson: JSON.stringify(storedRule(body.rule, ctx.now)),
    timeZone: checkedZone(body.timeZone ?? utc),
  }
  return insertNamed(ctx, 'schedule', {
    ...newIdentity(ctx, body),
    projectId: project.id,
    action: body.action,
    ...target,
    ...when,
    ...begun(ctx, when, body.paused === true),
    timeLastRun: null,
    taskId: null,
  })
}

async function update(ctx: Ctx, row: Row, body: BodyOf<'scheduleUpdate'>): Promise<Row> {
  const target = await targetOf(ctx, body, { project: row.projectId, kept: idsIn(row) ?? [] })
  const when = {
    ruleJson: body.rule == null ? row.ruleJson : JSON.stringify(storedRule(body.rule, ctx.now)),
    timeZone: checkedZone(body.timeZone ?? row.timeZone),
  }
  const wasPaused = row.timeDue === null
  const isPaused = body.paused ?? wasPaused
  const isWhenKept =
    when.ruleJson === row.ruleJson && when.timeZone === row.timeZone && isPaused === wasPaused
  return updateNamed(ctx, ['schedule', row], {
    ...identityChanges(ctx, body),
    ...(body.action == null ? {} : { action: body.action }),
    ...target,
    // A run that is due or under way is neither lost nor repeated.
    ...(isWhenKept ? setBy(ctx) : { ...when, ...begun(ctx, when, isPaused) }),
  })
}

/** The task of a run: all instances that it is for at that moment. */
const taskOf = (row: Row): BodyOf<'taskCreate'> => ({
  kind: 'instance',
  action: row.action,
  ...(row.tag === null
    ? { ids: idsIn(row) ?? [] }
    : { query: `/v1/instances?project=${row.projectId}&filter=${encodeURIComponent(`tag:${row.tag}`)}` }),
})

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
}

export const schedules: Family<
  'scheduleList' | 'scheduleCreate' | 'scheduleView' | 'scheduleUpdate' | 'scheduleDelete' | 'scheduleRun'
> = {
  ...plain('schedule', { view, viewOne, create, update }).handlers,
  scheduleRun: {
    async withoutTransaction(request, { params, query }) {
      const row = await request.transaction('read', (ctx) =>
        resolve(ctx, 'schedule', { ...params, ...query }),
      )
      const { spec, items } = await plan(request, taskOf(row), { waits: true })
      return begin(request, { spec, items, retryOf: null, also: (ctx, id) => noteRun(ctx, row, id) })
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
  const lastError = failed === 1 ? 'it failed for one instance' : `it failed for ${failed} instances`
  const ended = tx.updateTable('schedule').where('taskId', '=', taskId)
  if (failed === 0 && !isWhole) return
  if (failed === 0) await ended.set({ lastError: null, failedSince: null }).execute()
  else
    await ended
      .set((eb) => ({ lastError, failedSince: eb.fn.coalesce('failedSince', eb.val(now)) }))
      .execute()
}

/** Whether the task of a run of this project is under way: another run would find its instances in between. */
export async function isRunUnderWay(tx: Tx, projectId: string): Promise<boolean> {
  const row = await tx
    .selectFrom('schedule')
    .innerJoin('task', 'task.id', 'schedule.taskId')
    .select('schedule.id')
    .where('schedule.projectId', '=', projectId)
    .where('task.timeEnded', 'is', null)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Those whose last run has failed, with the names of what they are in. */
export const failingRuns = (tx: Tx, most: number) =>
  tx
    .selectFrom('schedule')
    .innerJoin('project', 'project.id', 'schedule.projectId')
    .innerJoin('silo', 'silo.id', 'project.siloId')
    .select(['schedule.id', 'schedule.name', 'project.name as projectName', 'silo.name as siloName'])
    .select(['schedule.failedSince', 'schedule.lastError'])
    .where('schedule.failedSince', '>', 0)
    .where('schedule.timeDue', 'is not', null)
    .orderBy('schedule.failedSince')
    .limit(most)
    .execute()
