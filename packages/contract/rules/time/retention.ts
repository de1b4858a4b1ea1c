/** Which snapshots of a schedule are kept: the last one of each hour, day, week and month, by the clock of a time zone. */
import { keysOf } from '../keys.ts'
import { runAfter, runBefore, type TimeRule } from './next-run.ts'
import { localTime, timeOfLocal } from './zones.ts'

const hourMs = 3_600_000
const dayMs = 24 * hourMs

/** The classes, with the noun of their periods. */
export const retentionClasses = { hourly: 'hour', daily: 'day', weekly: 'week', monthly: 'month' } as const
export type RetentionClass = keyof typeof retentionClasses
/** How many are kept of each class. */
export type Retention = Readonly<Record<RetentionClass, number>>

const classes = keysOf(retentionClasses)

const rest = (value: number, unit: number): number => ((value % unit) + unit) % unit

/**
 * The beginning of the period of a class in which a time is, in ms since 1970. Weeks begin on Monday. An hour that clocks show twice
 * is two hours.
 */
export function periodStart(of: RetentionClass, at: number, timeZone: string): number {
  const local = localTime(at, timeZone)
  if (of === 'hourly') return at - rest(local, hourMs)
  const day = local - rest(local, dayMs)
  if (of === 'daily') return timeOfLocal(day, timeZone)
  // 1 January 1970 was a Thursday.
  if (of === 'weekly') return timeOfLocal(day - rest(day / dayMs + 3, 7) * dayMs, timeZone)
  const date = new Date(day)
  return timeOfLocal(Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), 1), timeZone)
}

/**
 * The snapshots that are kept, of those that are given with the newest first: of each class the last one of each of its latest
 * periods that have one. One of them can be kept by several classes. Periods without a snapshot do not count, so that nothing
 * is lost while none are made.
 */
export function keptOf<T extends { at: number }>(
  newestFirst: readonly T[],
  keep: Retention,
  timeZone: string,
): Set<T> {
  const kept = new Set<T>()
  for (const of of classes) {
    let left = keep[of]
    let last: number | undefined
    for (const one of newestFirst) {
      if (left === 0) break
      const period = periodStart(of, one.at, timeZone)
      if (period === last) continue
      last = period
      left--
      kept.add(one)
    }
  }
  return kept
}

const longestPeriodMs = 32 * dayMs

/** The times of the snapshots that are kept once a schedule has run for long, the newest first. */
export function keptInTheLongRun(
  { rule, timeZone, keep }: { rule: TimeRule; timeZone: string; keep: Retention },
  now: number,
): number[] {
  const most = Math.max(...classes.map((of) => keep[of]))
  // Later than the last run of as many periods of any class, of runs that are as far apart as they can be.
  const end = runAfter(rule, timeZone, now) + (most + 2) * longestPeriodMs
  const runs = new Set<number>()
  for (const of of classes) {
    let before: number | undefined = end
    for (let left = keep[of]; left > 0 && before !== undefined; left--) {
      const run = runBefore(rule, timeZone, before)
      if (run !== undefined) runs.add(run)
      before = run === undefined ? undefined : periodStart(of, run, timeZone)
    }
  }
  const made = [...runs].toSorted((a, b) => b - a).map((at) => ({ at }))
  return [...keptOf(made, keep, timeZone)].map(({ at }) => at).toSorted((a, b) => b - a)
}
