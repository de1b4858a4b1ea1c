/** The schedules of a project: their words, and the values of their form. */
import type { scheduleCreate, scheduleView } from '@purlin/contract/operations/schedules/schedules'
import type { Args, Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { tagIn, tagKeyProblem, tagValueProblem } from '@purlin/contract/rules/tags'
import { weekdays } from '@purlin/contract/rules/time/next-run'
import { browserZone } from '#/lib/input/localTime.ts'
import { capitalize } from '#/lib/text.ts'

export type Schedule = Result<typeof scheduleView>
type Body = Args<typeof scheduleCreate>['body']
type Rule = Schedule['rule']
export type Weekday = (typeof weekdays)[number]

/** Weeks begin on Monday in most places. */
export const days: readonly Weekday[] = [...weekdays.slice(1), ...weekdays.slice(0, 1)]

export interface Values {
  name: string
  description: string
  action: Schedule['action']
  target: 'tag' | 'instances'
  tag: string
  /** Names; the ids of those that are gone. */
  instances: string[]
  /** The text in the box of names. */
  instance: string
  every: Rule['type']
  hours: number
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
  instance: '',
  every: 'daily',
  hours: 24,
  day: 1,
  days: days.slice(0, 5),
  time: '19:00',
  timeZone: browserZone(),
  paused: false,
})

const nameOf = ({ id, name }: { id: string; name?: string | null | undefined }): string => name ?? id

export function valuesOf(schedule: Schedule): Values {
  const { name, description, action, instances, tag, rule, timeZone, paused } = schedule
  return {
    ...emptyValues(),
    name,
    description,
    action,
    target: tag == null ? 'instances' : 'tag',
    tag: tag ?? '',
    instances: (instances ?? []).map(nameOf),
    every: rule.type,
    ...('hours' in rule ? { hours: rule.hours } : { time: rule.time }),
    ...('day' in rule ? { day: rule.day } : {}),
    ...('days' in rule ? { days: rule.days } : {}),
    timeZone,
    paused,
  }
}

function ruleOf({ every, hours, day, days: chosen, time }: Values): Rule {
  switch (every) {
    case 'hours':
      return { type: every, hours }
    case 'daily':
      return { type: every, time }
    case 'weekly':
      return { type: every, days: chosen, time }
    case 'monthly':
      return { type: every, day, time }
  }
}

export function bodyOf(values: Values): Body {
  const { name, description, action, target, tag, instances, timeZone, paused } = values
  return {
    name,
    description,
    action,
    rule: ruleOf(values),
    ...(target === 'tag' ? { tag: tag.trim() } : { instances }),
    timeZone,
    paused,
  }
}

/** The reason why a text names no tag to choose instances by. */
export function tagProblem(text: string): string | undefined {
  const { key, value } = tagIn(text.trim())
  const problem = tagKeyProblem(key) ?? (value === undefined ? undefined : tagValueProblem(value))
  return problem && capitalize(problem)
}

export const timeProblem = (text: string): string | undefined =>
  /^([01]\d|2[0-3]):[0-5]\d$/.test(text) ? undefined : 'Enter a time of day, such as 18:30'

/** `Every day at 19:00`. */
export function ruleWords(rule: Rule): string {
  switch (rule.type) {
    case 'hours':
      return rule.hours === 1 ? 'Every hour' : `Every ${countOf(rule.hours, 'hour')}`
    case 'daily':
      return `Every day at ${rule.time}`
    case 'weekly':
      return `${daysWords(rule.days)} at ${rule.time}`
    case 'monthly':
      return `Day ${rule.day} of each month at ${rule.time}`
  }
}

const daysWords = (chosen: readonly Weekday[]): string =>
  days.flatMap((day) => (chosen.includes(day) ? capitalize(day).slice(0, 3) : [])).join(', ')

/** `instances with the tag env=prod`, `3 instances` */
export const targetWords = ({ tag, instances }: Pick<Schedule, 'tag' | 'instances'>): string =>
  tag == null ? countOf(instances?.length ?? 0, 'instance') : `instances with the tag ${tag}`
