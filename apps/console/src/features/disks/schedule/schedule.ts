/** The snapshot schedule of a disk: its query, its words and the values of its form. */
import {
  diskSnapshotScheduleView,
  type diskSnapshotScheduleUpdate,
} from '@purlin/contract/operations/storage/snapshot-schedules'
import type { Args, Result } from '@purlin/contract/op'
import { countOf } from '@purlin/contract/rules/kinds'
import { limits } from '@purlin/contract/rules/limits'
import { utc } from '@purlin/contract/rules/time/zones'
import { query } from '#/api/query.ts'
import { browserZone, fromLocalText, toLocalText } from '#/lib/input/localTime.ts'

export type OfDisk = Result<typeof diskSnapshotScheduleView>
export type Schedule = NonNullable<OfDisk['schedule']>
type Body = Args<typeof diskSnapshotScheduleUpdate>['body']

/** The arguments of the operations on the schedule of a disk. */
export const argsOf = (diskId: string) => ({ params: { disk: diskId }, query: {} })

export const scheduleQuery = (diskId: string) => ({
  ...query(diskSnapshotScheduleView, argsOf(diskId)),
  throwOnError: false,
})

const dayHours = 24
const hoursOf = { hours: 1, days: dayHours } as const
export type Unit = keyof typeof hoursOf
export const units = ['hours', 'days'] as const satisfies readonly Unit[]

/** The longest interval in a unit. */
export const mostIn = (unit: Unit): number => Math.floor(limits.snapshotSchedule.hours / hoursOf[unit])

const inUnit = (everyHours: number): { every: number; unit: Unit } =>
  everyHours % dayHours === 0
    ? { every: everyHours / dayHours, unit: 'days' }
    : { every: everyHours, unit: 'hours' }

/** `Every day`, `Every 6 hours`. */
export function intervalWords(everyHours: number): string {
  const { every, unit } = inUnit(everyHours)
  const noun = unit.slice(0, -1)
  return every === 1 ? `Every ${noun}` : `Every ${countOf(every, noun)}`
}

export interface Values {
  every: number
  unit: Unit
  /** In the time zone of the schedule; empty for now. */
  firstRun: string
  timeZone: string
  keep: number
  paused: boolean
}

/** The values of the form for a schedule, or for a new one, which begins with the zone of the browser. */
export function valuesOf({ schedule }: OfDisk): Values {
  const timeZone = schedule ? zoneOf(schedule) : browserZone()
  return {
    ...inUnit(schedule?.everyHours ?? dayHours),
    firstRun: toLocalText(schedule?.timeFirstRun, timeZone),
    timeZone,
    keep: schedule?.keep ?? 7,
    paused: schedule?.paused ?? false,
  }
}

export const zoneOf = ({ timeZone }: Schedule): string => timeZone ?? utc

/** The request for values. The first run that was `seen` stays as it is, to the second, unless its zone changes. */
export function bodyOf(values: Values, seen: Pick<Values, 'firstRun' | 'timeZone'>, now: number): Body {
  const { every, unit, firstRun, timeZone, keep, paused } = values
  const isSame = firstRun === seen.firstRun && (firstRun === '' || timeZone === seen.timeZone)
  const timeFirstRun = firstRun === '' ? new Date(now) : fromLocalText(firstRun, timeZone)
  return { everyHours: every * hoursOf[unit], keep, paused, timeZone, ...(isSame ? {} : { timeFirstRun }) }
}
