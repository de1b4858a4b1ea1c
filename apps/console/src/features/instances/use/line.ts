/** A small line over the last hour, and the same in words. */
import type { Use, UseOf } from './batches.ts'

/** The points of a line over all of the times. 100 percent is the full height, so that rows can be compared. */
export function lineOf({ times, values }: Use, { width, height }: { width: number; height: number }): string {
  const [first = 0, last = first] = [times[0], times.at(-1)]
  const long = Math.max(1, last - first)
  return values
    .map((value, i) => {
      const x = (width * ((times[i] ?? first) - first)) / long
      const y = height - (height * Math.min(100, Math.max(0, value))) / 100
      return `${x.toFixed(1)},${y.toFixed(1)}`
    })
    .join(' ')
}

/** For people who do not see the line. */
export function wordsOf(of: UseOf, values: readonly number[]): string {
  const [now, least, most] = [values.at(-1) ?? 0, Math.min(...values), Math.max(...values)].map(Math.round)
  return `${of} use ${now}% now, ${least}% to ${most}% in the last hour`
}
