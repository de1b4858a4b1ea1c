/** When runs of a schedule are due, in its time zone. */
import { localTime, timeOfLocal } from './zones.ts'

const minuteMs = 60_000
const hourMs = 60 * minuteMs
const dayMs = 24 * hourMs

export const weekdays = [
  'sunday',
  'monday',
  'tuesday',
  'wednesday',
  'thursday',
  'friday',
  'saturday',
] as const

/** Minutes of a day are those that clocks of the zone show. */
export type TimeRule =
  | { type: 'hours'; hours: number; from: number }
  | { type: 'daily'; minute: number }
  /** Days by their places in `weekdays`. */
  | { type: 'weekly'; days: readonly number[]; minute: number }
  /** Months that are too short have it on their last day. */
  | { type: 'monthly'; day: number; minute: number }

/** A rule as requests give it; a first run that is not given is now. */
export type GivenRule =
  | { type: 'hours'; hours: number; timeFirstRun?: Date | null | undefined }
  | { type: 'daily'; time: string }
  | { type: 'weekly'; days: readonly (typeof weekdays)[number][]; time: string }
  | { type: 'monthly'; day: number; time: string }

/** The minute of a time of day such as 18:30, or undefined. */
export function minuteOfDay(time: string): number | undefined {
  const [, hours, minutes] = /^([01]\d|2[0-3]):([0-5]\d)$/.exec(time) ?? []
  return hours === undefined ? undefined : Number(hours) * 60 + Number(minutes)
}

/** A minute of the day as a time such as 18:30. */
export const timeOfMinute = (minute: number): string =>
  new Date(minute * minuteMs).toISOString().slice(11, 16)

/** Undefined without a time of day, or a day of the week. */
export function timeRuleOf(rule: GivenRule, now: number): TimeRule | undefined {
  if (rule.type === 'hours')
    return { type: 'hours', hours: rule.hours, from: rule.timeFirstRun?.getTime() ?? now }
  const minute = minuteOfDay(rule.time)
  if (minute === undefined) return undefined
  if (rule.type === 'daily') return { type: 'daily', minute }
  if (rule.type === 'monthly') return { type: 'monthly', day: rule.day, minute }
  const days = [...new Set(rule.days.map((day) => weekdays.indexOf(day)))].toSorted((a, b) => a - b)
  return days.length === 0 ? undefined : { type: 'weekly', days, minute }
}

/**
 * The first run after a time, ms since 1970. A local time that clocks skip is the first moment after, and one that they show
 * twice counts once. A rule has at least one day.
 */
export function runAfter(rule: TimeRule, timeZone: string, at: number): number {
  return rule.type === 'hours' ? inHours(rule, timeZone, at) : onDays(rule, timeZone, at)
}

/** Longer intervals than an hour keep to the clock: a run at 3:00 is at 3:00 in summer and in winter. */
function inHours({ hours, from }: TimeRule & { type: 'hours' }, timeZone: string, at: number): number {
  if (from > at) return from
  const everyMs = hours * hourMs
  if (hours === 1) return from + (Math.floor((at - from) / everyMs) + 1) * everyMs
  const first = localTime(from, timeZone)
  const passed = Math.floor((localTime(at, timeZone) - first) / everyMs)
  for (let local = first + passed * everyMs; ; local += everyMs) {
    const run = timeOfLocal(local, timeZone)
    if (run > at) return run
  }
}

function onDays(rule: Exclude<TimeRule, { type: 'hours' }>, timeZone: string, at: number): number {
  const today = Math.floor(localTime(at, timeZone) / dayMs) * dayMs
  for (let day = today; ; day += dayMs) {
    if (!hasRun(rule, new Date(day))) continue
    const run = timeOfLocal(day + rule.minute * minuteMs, timeZone)
    if (run > at) return run
  }
}

function hasRun(rule: Exclude<TimeRule, { type: 'hours' }>, day: Date): boolean {
  if (rule.type === 'daily') return true
  if (rule.type === 'weekly') return rule.days.includes(day.getUTCDay())
  const last = new Date(Date.UTC(day.getUTCFullYear(), day.getUTCMonth() + 1, 0)).getUTCDate()
  return day.getUTCDate() === Math.min(rule.day, last)
}

/** Longer than the time between two runs. */
function longestGap(rule: TimeRule): number {
  if (rule.type === 'hours') return (rule.hours + 2) * hourMs
  return { daily: 2, weekly: 8, monthly: 32 }[rule.type] * dayMs
}

/** The last run before a time; undefined if there is none before. */
export function runBefore(rule: TimeRule, timeZone: string, at: number): number | undefined {
  let last: number | undefined
  let next = runAfter(rule, timeZone, at - longestGap(rule))
  while (next < at) {
    last = next
    next = runAfter(rule, timeZone, next)
  }
  return last
}
