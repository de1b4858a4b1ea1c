/** The schedules of a project: their words, and the values of their form. */
import { keysOf } from '@purlin/contract/rules/keys'
import type { scheduleCreate, scheduleView } from '@purlin/contract/operations/schedules/schedules'
import type { Args, Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { tagIn, tagKeyProblem, tagValueProblem } from '@purlin/contract/rules/tags'
import { minuteOfDay, runAfter, timeRuleOf, weekdays } from '@purlin/contract/rules/time/next-run'
import { keptInTheLongRun, retentionClasses, type Retention } from '@purlin/contract/rules/time/retention'
import { runAction, type ScheduleTarget } from '@purlin/contract/rules/time/schedules'
import { isTimeZone, localTime } from '@purlin/contract/rules/time/zones'
import { browserZone, fromLocalText, localTimeProblem, toLocalText } from '#/lib/input/localTime.ts'
import { formatDate, formatTime } from '#/lib/format.ts'
import { capitalize } from '#/lib/text.ts'

export type Schedule = Result<typeof scheduleView>
type Body = Args<typeof scheduleCreate>['body']
type Rule = Schedule['rule']
export type Weekday = (typeof weekdays)[number]

/** Weeks begin on Monday in most places. */
export const days: readonly Weekday[] = [...weekdays.slice(1), ...weekdays.slice(0, 1)]

/** The targets that one can choose, with the kind of what they are. */
export const targets = {
  tag: 'instance',
  instances: 'instance',
  diskTag: 'disk',
  disks: 'disk',
} as const satisfies Record<string, ScheduleTarget>
export type Target = keyof typeof targets
/** Those that an action is done to. */
export const targetsFor = (action: Schedule['action']): Target[] =>
  keysOf(targets).filter((one) => runAction(action, targets[one]) !== undefined)

export interface Values extends Retention {
  name: string
  description: string
  action: Schedule['action']
  target: Target
  tag: string
  /** Names; the ids of those that are gone. */
  instances: string[]
  disks: string[]
  /** The text in the box of names. */
  instance: string
  disk: string
  every: Rule['type']
  hours: number
  /** In the time zone; empty for now. */
  firstRun: string
  /** The stored one, which stays to the second unless its text or zone changes. */
  seen: { timeFirstRun: Date; firstRun: string; timeZone: string } | null
  day: number
  days: Weekday[]
  time: string
  timeZone: string
  paused: boolean
}

export const emptyValues = (): Values => ({
  name: '',
  description: '',
  action: 'stop',
  target: 'tag',
  tag: '',
  instances: [],
  disks: [],
  instance: '',
  disk: '',
  hourly: 0,
  daily: 7,
  weekly: 4,
  monthly: 0,
  every: 'daily',
  hours: 24,
  firstRun: '',
  seen: null,
  day: 1,
  days: days.slice(0, 5),
  time: '19:00',
  timeZone: browserZone(),
  paused: false,
})

const nameOf = ({ id, name }: { id: string; name?: string | null | undefined }): string => name ?? id

export function valuesOf(schedule: Schedule): Values {
  const { name, description, action, instances, tag, disks, diskTag, keep, rule, timeZone, paused } = schedule
  const { hourly, daily, weekly, monthly } = keep ?? {}
  return {
    ...emptyValues(),
    name,
    description,
    action,
    target: tag != null ? 'tag' : diskTag != null ? 'diskTag' : disks == null ? 'instances' : 'disks',
    tag: tag ?? diskTag ?? '',
    instances: (instances ?? []).map(nameOf),
    disks: (disks ?? []).map(nameOf),
    ...(keep ? { hourly: hourly ?? 0, daily: daily ?? 0, weekly: weekly ?? 0, monthly: monthly ?? 0 } : {}),
    every: rule.type,
    ...('hours' in rule ? { hours: rule.hours, ...firstRunOf(rule, timeZone) } : { time: rule.time }),
    ...('day' in rule ? { day: rule.day } : {}),
    ...('days' in rule ? { days: rule.days } : {}),
    timeZone,
    paused,
  }
}

function firstRunOf({ timeFirstRun }: Rule & { type: 'hours' }, timeZone: string): Partial<Values> {
  if (!timeFirstRun) return {}
  const firstRun = toLocalText(timeFirstRun, timeZone)
  return { firstRun, seen: { timeFirstRun, firstRun, timeZone } }
}

function ruleOf({ every, hours, firstRun, seen, timeZone, day, days: chosen, time }: Values): Rule {
  switch (every) {
    case 'hours': {
      if (firstRun === '') return { type: every, hours }
      const isSame = firstRun === seen?.firstRun && timeZone === seen.timeZone
      return {
        type: every,
        hours,
        timeFirstRun: isSame ? seen.timeFirstRun : fromLocalText(firstRun, timeZone),
      }
    }
    case 'daily':
      return { type: every, time }
    case 'weekly':
      return { type: every, days: chosen, time }
    case 'monthly':
      return { type: every, day, time }
  }
}

const retentionOf = ({ hourly, daily, weekly, monthly }: Retention): Retention => ({
  hourly,
  daily,
  weekly,
  monthly,
})

export function bodyOf(values: Values): Body {
  const { name, description, action, target, tag, instances, disks, timeZone, paused } = values
  const chosen = { tag: tag.trim(), instances, diskTag: tag.trim(), disks }
  return {
    name,
    description,
    action,
    rule: ruleOf(values),
    [target]: chosen[target],
    ...(action === 'snapshot' ? { keep: retentionOf(values) } : {}),
    timeZone,
    paused,
  }
}

/** The reason why a filled form has no targets that its action is done to. */
export function targetProblem({ action, target, instances, disks }: Values): string | undefined {
  if (!targetsFor(action).includes(target)) return `Choose what to ${action}`
  const names = target === 'instances' ? instances : target === 'disks' ? disks : undefined
  return names?.length === 0 ? `Choose ${target}, or name a tag` : undefined
}

/** The times of the next runs, in the zone of the schedule. Empty while the form is not filled. */
export function nextRuns(values: Values, { now, count }: { now: number; count: number }): string[] {
  const rule = filledRule(values, now)
  const times: string[] = []
  for (let at = now - 1; rule && times.length < count;) {
    at = runAfter(rule, values.timeZone, at)
    times.push(localWords(at, values.timeZone))
  }
  return times
}

/** `Mon Jan 5, 2026, 7:00 PM`, in the user's locale. */
function localWords(at: number, timeZone: string): string {
  const local = new Date(localTime(at, timeZone))
  const day = capitalize(weekdays[local.getUTCDay()] ?? '').slice(0, 3)
  return `${day} ${formatDate(local, utc)}, ${formatTime(local, utc)}`
}

const utc = { timeZone: 'UTC' }
/** A time of day such as 19:00, as all times of the console are written. */
const clockTime = (time: string): string => formatTime(new Date(`1970-01-01T${time}Z`), utc)

function filledRule(values: Values, now: number) {
  const { every, hours, firstRun, day, timeZone } = values
  const isFilled =
    isTimeZone(timeZone) &&
    (every !== 'hours' || (hours >= 1 && localTimeProblem(firstRun) === undefined)) &&
    (every !== 'monthly' || (day >= 1 && day <= 31))
  return isFilled ? timeRuleOf(ruleOf(values), now) : undefined
}

const classes = keysOf(retentionClasses)

/** A sentence about the snapshots that are kept. Undefined while the form is not filled. */
export function keptWords(values: Values, now: number): string | undefined {
  const rule = filledRule(values, now)
  const keep = retentionOf(values)
  const counts = classes.filter((of) => keep[of] > 0)
  if (!rule || classes.some((of) => !(keep[of] >= 0)) || counts.length === 0) return undefined
  const periods = counts.map((of) => countOf(keep[of], retentionClasses[of]))
  const times = keptInTheLongRun({ rule, timeZone: values.timeZone, keep }, now)
  const noun = targets[values.target]
  const most = `In the long run, ${times.length === 1 ? '1 snapshot' : `${times.length} snapshots`} of each ${noun}`
  return `Of the last ${inWords(periods)} with a snapshot, the last one of each is kept. ${most}${oldestWords(times)}.`
}

/** `24 hours, 7 days and 4 weeks` */
const inWords = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

function oldestWords(times: readonly number[]): string {
  const ms = (times[0] ?? 0) - (times.at(-1) ?? 0)
  if (ms === 0) return ''
  const hours = Math.round(ms / 3_600_000)
  const age = hours < 48 ? countOf(hours, 'hour') : countOf(Math.round(hours / 24), 'day')
  return `, the oldest ${age} older than the newest`
}

/** The reason why a text names no tag to choose instances by. */
export function tagProblem(text: string): string | undefined {
  const { key, value } = tagIn(text.trim())
  const problem = tagKeyProblem(key) ?? (value === undefined ? undefined : tagValueProblem(value))
  return problem && capitalize(problem)
}

export const timeProblem = (text: string): string | undefined =>
  minuteOfDay(text) === undefined ? 'Enter a time of day, such as 18:30' : undefined

/** `Every day at 7:00 PM`, in the user's locale. */
export function ruleWords(rule: Rule): string {
  switch (rule.type) {
    case 'hours':
      return rule.hours === 1 ? 'Every hour' : `Every ${countOf(rule.hours, 'hour')}`
    case 'daily':
      return `Every day at ${clockTime(rule.time)}`
    case 'weekly':
      return `${daysWords(rule.days)} at ${clockTime(rule.time)}`
    case 'monthly':
      return `Day ${rule.day} of each month at ${clockTime(rule.time)}`
  }
}

const daysWords = (chosen: readonly Weekday[]): string =>
  days.flatMap((day) => (chosen.includes(day) ? capitalize(day).slice(0, 3) : [])).join(', ')

const doing = { start: 'Start', stop: 'Stop', snapshot: 'Take snapshots of' } as const

/** `Stop instances with the tag env=prod`, `Take snapshots of 3 disks` */
export function doesWords({
  action,
  tag,
  instances,
  disks,
  diskTag,
}: Pick<Schedule, 'action' | 'tag' | 'instances' | 'disks' | 'diskTag'>): string {
  const noun = diskTag == null && disks == null ? 'instance' : 'disk'
  const named = countOf((instances ?? disks)?.length ?? 0, noun)
  const tagged = tag ?? diskTag
  return `${doing[action]} ${tagged == null ? named : `${noun}s with the tag ${tagged}`}`
}
