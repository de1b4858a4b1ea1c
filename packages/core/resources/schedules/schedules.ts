/** Schedules of a project: what they do, to which resources, and when. A loop runs them: `loops/schedules`. */
import type { Result } from '@purlin/contract/op'
import type { Operations } from '@purlin/contract/operations'
import { kinds, pluralOf } from '@purlin/contract/rules/kinds'
import { runAction } from '@purlin/contract/rules/time/schedules'
import {
  minuteOfDay,
  runAfter,
  timeOfMinute,
  timeRuleOf,
  weekdays,
  type TimeRule,
} from '@purlin/contract/rules/time/next-run'
import type { Retention } from '@purlin/contract/rules/time/retention'
import { isTimeZone, utc } from '@purlin/contract/rules/time/zones'
import type { BodyOf, Ctx, Family } from '#/context.ts'
import { rowsOf, type RowOf } from '#/db/kinds.ts'
import type { ScheduleTable } from '#/db/tables.ts'
import { fault } from '#/faults.ts'
import { plain } from '../kind/plain.ts'
import {
  identityChanges,
  identityView,
  insertNamed,
  keptChanges,
  newIdentity,
  newTags,
  updateNamed,
} from '../kind/rows.ts'
import { idsIn, noTarget, targetKind, targetsOf, type Targets } from './targets.ts'

type Row = ScheduleTable
type View = Result<Operations['scheduleView']>
type Rule = View['rule']
type Body = BodyOf<'scheduleUpdate'>

/** The first run after a time, ms since 1970. */
export const nextRun = ({ ruleJson, timeZone }: Pick<Row, 'ruleJson' | 'timeZone'>, at: number): number =>
  runAfter(JSON.parse(ruleJson) as TimeRule, timeZone, at)

/** The rule as it is stored. Throws 400. */
function storedRule(rule: Rule, now: number): TimeRule {
  if ('time' in rule && minuteOfDay(rule.time) === undefined)
    throw fault.invalidValue('time', 'it must be a time of day, such as 18:30')
  const stored = timeRuleOf(rule, now)
  if (!stored) throw fault.invalidValue('days', 'at least one day is needed')
  return stored
}

function ruleView(rule: TimeRule): Rule {
  if (rule.type === 'hours') return { type: 'hours', hours: rule.hours, timeFirstRun: new Date(rule.from) }
  const time = timeOfMinute(rule.minute)
  if (rule.type === 'daily') return { type: 'daily', time }
  if (rule.type === 'monthly') return { type: 'monthly', day: rule.day, time }
  return { type: 'weekly', days: rule.days.flatMap((day) => weekdays[day] ?? []), time }
}

const timeOrNull = (at: number | null) => (at === null ? null : new Date(at))
const refsTo = (ids: readonly string[] | null) => ids?.map((id) => ({ id })) ?? null

const view = (row: Row): View => ({
  ...identityView(row),
  projectId: row.projectId,
  userId: row.userId,
  action: row.action,
  instances: refsTo(idsIn(row, 'instance')),
  tag: row.tag,
  disks: refsTo(idsIn(row, 'disk')),
  diskTag: row.diskTag,
  keep: row.keepJson === null ? null : (JSON.parse(row.keepJson) as Retention),
  rule: ruleView(JSON.parse(row.ruleJson) as TimeRule),
  timeZone: row.timeZone,
  paused: row.timeDue === null,
  timeNextRun: timeOrNull(row.timeDue),
  timeLastRun: timeOrNull(row.timeLastRun),
  lastError: row.lastError,
  timeFailedSince: timeOrNull(row.failedSince),
  task: row.taskId,
})

/** With the names of what it is for; those that are gone have none. */
async function viewOne({ tx }: Ctx, row: Row): Promise<View> {
  const [kind, ids] = [targetKind(row), idsIn(row)]
  if (!ids?.length) return view(row)
  const rows = await rowsOf(tx, kind).select(['id', 'name']).where('id', 'in', ids).execute()
  const names = new Map(rows.map(({ id, name }) => [id, name]))
  const named = ids.map((id) => ({ id, name: names.get(id) ?? null }))
  return { ...view(row), ...(kind === 'disk' ? { disks: named } : { instances: named }) }
}

/** How many snapshots of each class are kept, as it is stored. Throws 400. */
function storedKeep(action: Row['action'], keep: Body['keep'], before: string | null): string | null {
  if (action !== 'snapshot') {
    if (keep != null) throw fault.invalidValue('keep', 'only for `snapshot`')
    return null
  }
  if (keep == null && before !== null) return before
  const { hourly, daily, weekly, monthly } = keep ?? {}
  const counts: Retention = {
    hourly: hourly ?? 0,
    daily: daily ?? 0,
    weekly: weekly ?? 0,
    monthly: monthly ?? 0,
  }
  if (Object.values(counts).every((count) => count === 0))
    throw fault.invalidValue('keep', 'at least one snapshot of a class must be kept')
  return JSON.stringify(counts)
}

/** Throws 400 for an action that is not done to what the schedule is for. */
function checkAction(action: Row['action'], targets: Targets): void {
  const kind = targetKind(targets)
  if (runAction(action, kind) === undefined)
    throw fault.invalidValue('action', `\`${action}\` is not done to ${pluralOf(kinds[kind].noun)}`)
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
  const targets = await targetsOf(ctx, body, { project: project.id })
  if (!targets) throw fault.invalid(noTarget)
  checkAction(body.action, targets)
  const when = {
    ruleJson: JSON.stringify(storedRule(body.rule, ctx.now)),
    timeZone: checkedZone(body.timeZone ?? utc),
  }
  return insertNamed(ctx, 'schedule', {
    ...newIdentity(ctx, body),
    ...newTags(body),
    projectId: project.id,
    action: body.action,
    ...targets,
    keepJson: storedKeep(body.action, body.keep, null),
    ...when,
    ...begun(ctx, when, body.paused === true),
    timeLastRun: null,
    taskId: null,
  })
}

async function update(ctx: Ctx, row: Row, body: BodyOf<'scheduleUpdate'>): Promise<Row> {
  const targets = await targetsOf(ctx, body, { project: row.projectId, before: row })
  const action = body.action ?? row.action
  checkAction(action, targets ?? row)
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
    ...keptChanges(body),
    action,
    ...targets,
    keepJson: storedKeep(action, body.keep, row.keepJson),
    // A run that is due or under way is neither lost nor repeated.
    ...(isWhenKept ? setBy(ctx) : { ...when, ...begun(ctx, when, isPaused) }),
  })
}

export const schedules: Family<
  'scheduleList' | 'scheduleCreate' | 'scheduleView' | 'scheduleUpdate' | 'scheduleDelete'
> = plain('schedule', { view, viewOne, create, update }).handlers
