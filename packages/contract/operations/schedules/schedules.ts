/** Of our own: schedules of a project, which start or stop instances at times. */
import { op } from '#/op.ts'
import { limits } from '#/rules/limits.ts'
import { weekdays } from '#/rules/time/next-run.ts'
import { array, boolean, enumOf, integer, nullable, object, optional, ref, string, time, union, unlimited } from '#/schema.ts'
import { identity, inProject } from '#/schemas/identity.ts'
import { NameOrId, Uuid } from '#/schemas/scalar.ts'
import { plainOps } from '../plain.ts'
import { Task } from '../tasks/tasks.ts'

const { hours, instances, tag: tagLength } = limits.schedule
const text = string(unlimited)
const Action = ref('ScheduleAction', enumOf(['start', 'stop']))
const timeOfDay = string({ maxLength: 5 })
const Rule = ref('ScheduleRule', union('type', {
  hours: { hours: integer({ min: 1, max: hours, format: 'uint32' }), timeFirstRun: optional(nullable(time())) },
  daily: { time: timeOfDay },
  weekly: { days: array(enumOf(weekdays), { count: weekdays.length, noun: 'days' }), time: timeOfDay },
  monthly: { day: integer({ min: 1, max: 31, format: 'uint8' }), time: timeOfDay },
}))
const named = optional(nullable(array(NameOrId, { count: instances, noun: 'instances' })))
const tagged = optional(nullable(string({ maxLength: tagLength })))
const timeZone = string({ maxLength: limits.timeZone })
const shared = {
  instances: named, tag: tagged,
  timeZone: optional(nullable(timeZone)), paused: optional(nullable(boolean())),
}

export const { scheduleList, scheduleCreate, scheduleView, scheduleUpdate, scheduleDelete } = plainOps('schedule', {
  response: ref('Schedule', object({
    ...identity,
    projectId: Uuid,
    /** The user in whose name it runs. */
    userId: Uuid,
    action: Action,
    instances: optional(nullable(array(object({ id: Uuid, name: optional(nullable(text)) }), unlimited))),
    tag: optional(nullable(text)),
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
