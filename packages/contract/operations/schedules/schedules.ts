/** Of our own: schedules of a project, which start or stop instances or take snapshots at times. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { scheduleActions } from '#/rules/time/schedules.ts'
import { weekdays } from '#/rules/time/next-run.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, inProject, tagged, taggedGiven } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { Task } from '../tasks/tasks.ts'

const { hours, targets, keep, tag: tagLength } = limits.schedule
const text = string(unlimited)
const Action = ref('ScheduleAction', enumOf(scheduleActions))
const timeOfDay = string({ maxLength: 5 })
const Rule = ref('ScheduleRule', union('type', {
  hours: { hours: integer({ min: 1, max: hours, format: 'uint32' }), timeFirstRun: optional(nullable(time())) },
  daily: { time: timeOfDay },
  weekly: { days: array(enumOf(weekdays), { count: weekdays.length, noun: 'days' }), time: timeOfDay },
  monthly: { day: integer({ min: 1, max: 31, format: 'uint8' }), time: timeOfDay },
}))
const kept = optional(nullable(integer({ min: 0, max: keep, format: 'uint32' })))
const Retention = ref('ScheduleRetention', object({ hourly: kept, daily: kept, weekly: kept, monthly: kept }))
const named = (noun: string) => optional(nullable(array(NameOrId, { count: targets, noun })))
const Targets = optional(nullable(array(object({ id: Uuid, name: optional(nullable(text)) }), unlimited)))
const ofTag = optional(nullable(string({ maxLength: tagLength })))
const timeZone = string({ maxLength: limits.timeZone })
const shared = {
  instances: named('instances'), tag: ofTag, disks: named('disks'), diskTag: ofTag,
  keep: optional(nullable(Retention)),
  timeZone: optional(nullable(timeZone)), paused: optional(nullable(boolean())),
  ...taggedGiven,
}

export const { scheduleList, scheduleCreate, scheduleView, scheduleUpdate, scheduleDelete } = plainOps('schedule', {
  response: ref('Schedule', object({
    ...identity,
    ...tagged,
    projectId: Uuid,
    /** The user in whose name it runs. */
    userId: Uuid,
    action: Action,
    instances: Targets,
    tag: optional(nullable(text)),
    disks: Targets,
    diskTag: optional(nullable(text)),
    keep: optional(nullable(Retention)),
    rule: Rule,
    timeZone,
    paused: boolean(),
    timeNextRun: optional(nullable(time())),
    timeLastRun: optional(nullable(time())),
    lastError: optional(nullable(text)),
    timeFailedSince: optional(nullable(time())),
    /** That of the last run. */
    task: optional(nullable(Uuid)),
  })),
  create: { action: Action, rule: Rule, ...shared },
  update: { action: optional(nullable(Action)), rule: optional(nullable(Rule)), ...shared },
})
export const scheduleRun = op({
  method: 'POST', path: '/v1/schedules/{schedule}/run', allow: 'project.collaborator', ok: 201, tag: 'schedules',
  params: object({ schedule: NameOrId }), query: object(inProject), response: Task,
})
