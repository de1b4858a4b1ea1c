import { type DateStyle, formatDate, formatDay, formatTick } from '#/lib/format.ts'
import type { TimeRange } from './data.ts'

const intervals = 5
const nice = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10]

/** Six even ticks from 0 to a little above the largest value; never above `max` if no value is. */
export function valueTicks(largest: number, max = Number.POSITIVE_INFINITY): number[] {
  const wanted = Math.max(largest, 0) * 1.05
  const top = largest <= max ? Math.min(wanted, max) : wanted
  const step = top > 0 ? niceStep(top / intervals) : 1
  // Multiplied by whole numbers and rounded, so that no tick reads 0.30000000000000004.
  return Array.from({ length: intervals + 1 }, (_, i) => Number((i * step).toPrecision(12)))
}

function niceStep(minimum: number): number {
  const power = 10 ** Math.floor(Math.log10(minimum))
  // A rounding error of the division must not lead to a larger step.
  const factor = nice.find((one) => one * power >= minimum * (1 - 1e-9)) ?? 10
  return factor * power
}

const minute = 60_000

// Of longer ranges, the ticks are days apart.
const longRange = 10 * 24 * 60 * minute

/** Formats a time for the axis: the time of day, with seconds in short ranges, and the day if there are several; the day alone in long ranges. */
export function timeTick({ start, end }: TimeRange, style: DateStyle): (time: number) => string {
  if (end - start >= longRange) return (time) => formatDay(new Date(time), style)
  const dayOf = (time: number) => formatDate(new Date(time), style)
  const parts = { day: dayOf(start) !== dayOf(end), second: end - start < 10 * minute }
  return (time) => formatTick(new Date(time), parts, style)
}
