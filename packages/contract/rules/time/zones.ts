/**
 * Local times in the zones of the IANA database. A local time is in ms since 1970 as if the zone were UTC, so that its parts
 * are those of `Date` in UTC.
 */

const hourMs = 3_600_000
const dayMs = 24 * hourMs

export const utc = 'UTC'

/** Whether a text names a zone. Offsets such as `+02:00` are none: they have no summer time. */
export function isTimeZone(text: string): boolean {
  if (!/^[A-Za-z]/.test(text)) return false
  try {
    return formatOf(text) !== undefined
  } catch {
    return false
  }
}

// A format takes long to make. There are some hundred zones, each with many spellings in other case.
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(timeZone: string): Intl.DateTimeFormat {
  const name = timeZone.toLowerCase()
  const known = formats.get(name)
  if (known) return known
  const made = new Intl.DateTimeFormat('en-US', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(name, made)
  return made
}

/** The local time of a time in ms since 1970. */
export function localTime(at: number, timeZone: string): number {
  if (timeZone === utc) return at
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, number>> = {}
  for (const { type, value } of formatOf(timeZone).formatToParts(at)) parts[type] = Number(value)
  const { year = 0, month = 1, day, hour, minute, second } = parts
  return Date.UTC(year, month - 1, day, hour, minute, second) + (((at % 1000) + 1000) % 1000)
}

/**
 * The first time at which clocks of the zone show a local time. If they skip it, as at the change to summer time, it is
 * the first moment after; if they show it twice, the first of the two.
 */
export function timeOfLocal(local: number, timeZone: string): number {
  if (timeZone === utc) return local
  // The offsets before and after a change, if there is one. No zone is further from UTC than 14 hours.
  const [before, after] = [-dayMs, dayMs].map((far) => localTime(local + far, timeZone) - (local + far)) as [
    number,
    number,
  ]
  const fits = [local - before, local - after].filter((at) => localTime(at, timeZone) === local)
  return fits.length > 0 ? Math.min(...fits) : changeBetween(local - after, local - before, timeZone)
}

/** The moment in a span at which clocks skip. */
function changeBetween(from: number, to: number, timeZone: string): number {
  const offset = localTime(from, timeZone) - from
  let [before, after] = [from, to]
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2)
    if (localTime(middle, timeZone) - middle === offset) before = middle
    else after = middle
  }
  return after
}
