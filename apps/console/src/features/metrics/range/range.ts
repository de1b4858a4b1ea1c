/** The range of time that the charts of a page show: it is in the address, so that a reload shows the same. */
import type { TimeRange } from '#/ui/chart/data.ts'

const hour = 3_600_000
/** Ranges that end now. */
export const presets = {
  '1h': { label: 'Last hour', length: hour },
  '3h': { label: 'Last 3 hours', length: 3 * hour },
  '24h': { label: 'Last 24 hours', length: 24 * hour },
  '7d': { label: 'Last 7 days', length: 168 * hour },
} as const
export type Preset = keyof typeof presets
export const defaultPreset: Preset = '1h'

/** A preset unless it is the default; or the ends of a custom range, RFC 3339. */
export interface RangeSearch {
  range?: Preset
  start?: string
  end?: string
}

export const isPreset = (value: unknown): value is Preset =>
  typeof value === 'string' && Object.hasOwn(presets, value)

// Years of four digits, and no time before 1970: queries accept no others.
const latest = Date.UTC(10_000, 0) - 1
/** True if it has a length, and ends that a query accepts. */
export const isRange = ({ start, end }: TimeRange): boolean => start >= 0 && start < end && end <= latest

/** The fixed range of an address, if it has one. */
export function fixedRange({ start, end }: RangeSearch): TimeRange | undefined {
  const range = { start: Date.parse(start ?? ''), end: Date.parse(end ?? '') }
  return isRange(range) ? range : undefined
}

/** `validateSearch` of a route with charts. */
export function rangeSearch({ range, start, end }: Record<string, unknown>): RangeSearch {
  const ends = { start: String(start), end: String(end) }
  if (fixedRange(ends)) return ends
  return isPreset(range) && range !== defaultPreset ? { range } : {}
}

const second = 1000
const shortest = 60 * second

/** The search of a fixed range, to the second. */
export const searchOf = ({ start, end }: TimeRange): RangeSearch => ({
  start: new Date(Math.floor(start / second) * second).toISOString(),
  end: new Date(Math.ceil(end / second) * second).toISOString(),
})

/** A range selected with the pointer, extended about its middle to at least a minute. */
export function atLeastShortest({ start, end }: TimeRange): TimeRange {
  const missing = Math.max(0, shortest - (end - start))
  return { start: start - missing / 2, end: end + missing / 2 }
}

/** The range of a preset at a time. */
export const rangeOf = (preset: Preset, now: number): TimeRange => {
  const end = Math.floor(now / second) * second
  return { start: end - presets[preset].length, end }
}
