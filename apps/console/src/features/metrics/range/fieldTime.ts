/** Times in the fields of a range, which show a date and a time of day. */
import { fromAbsolute, type ZonedDateTime } from '@internationalized/date'
import { browserZone } from '#/lib/input/localTime.ts'

export const zoneOf = (isUtc: boolean): string => (isUtc ? 'UTC' : browserZone())

/** The date and time of day of a time, in UTC or in the zone of the browser. */
export const toField = (moment: number, isUtc: boolean): ZonedDateTime => fromAbsolute(moment, zoneOf(isUtc))

/** The time in a field; NaN while it is incomplete. */
export const fromField = (value: ZonedDateTime | null): number => value?.toDate().getTime() ?? Number.NaN

/** Seconds are shown only if there are some. */
export const finestOf = (...values: ZonedDateTime[]): 'second' | 'minute' =>
  values.some(({ second }) => second !== 0) ? 'second' : 'minute'
