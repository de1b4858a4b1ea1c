/** Times in the fields of a range, which show a date and a time of day. */
import { fromAbsolute, toCalendarDateTime, toZoned, type ZonedDateTime } from '@internationalized/date'
import { browserZone } from '#/lib/input/localTime.ts'

export const zoneOf = (isUtc: boolean): string => (isUtc ? 'UTC' : browserZone())

/** The date and time of day of a time, in UTC or in the zone of the browser. */
export const toField = (moment: number, isUtc: boolean): ZonedDateTime => fromAbsolute(moment, zoneOf(isUtc))

/** The time in a field; NaN while it is incomplete. */
export const fromField = (value: ZonedDateTime | null): number => value?.toDate().getTime() ?? Number.NaN

/** The times that clocks show as this one, first to last: two in the hour that is repeated at the end of summer time. */
const sameOnClocks = (value: ZonedDateTime): ZonedDateTime[] =>
  (['earlier', 'later'] as const).map((which) => toZoned(toCalendarDateTime(value), value.timeZone, which))

/**
 * A changed field. Of two times that clocks show alike it is the one with the offset that the field had, and not always the first:
 * an end would be before its start.
 */
export const withOffsetOf = (before: ZonedDateTime, value: ZonedDateTime): ZonedDateTime =>
  sameOnClocks(value).find(({ offset }) => offset === before.offset) ?? value

/** `UTC+01:00` for a time that clocks show twice. */
export function offsetText(value: ZonedDateTime | null): string | undefined {
  const [first, last] = value ? sameOnClocks(value) : []
  if (!value || first?.offset === last?.offset) return undefined
  return `UTC${/[+-]\d\d:\d\d/.exec(value.toString().slice('2026-10-25T'.length))?.[0] ?? ''}`
}

/** Seconds are shown only if there are some. */
export const finestOf = (...values: ZonedDateTime[]): 'second' | 'minute' =>
  values.some(({ second }) => second !== 0) ? 'second' : 'minute'
