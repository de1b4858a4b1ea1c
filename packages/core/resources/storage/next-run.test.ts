import { runAfter, type TimeRule } from '@purlin/contract/rules/time/next-run'
import { isTimeZone, localTime, timeOfLocal } from '@purlin/contract/rules/time/zones'
import { expect, it } from 'vitest'
import fc from '#/testing/properties.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const berlin = 'Europe/Berlin'
const at = (text: string) => Date.parse(text)

/** The runs after a time, as local texts with the offset from UTC in minutes. */
function runs(rule: TimeRule, zone: string, from: string, count = 3): string[] {
  const found: string[] = []
  for (let time = at(from); found.length < count;) {
    time = runAfter(rule, zone, time)
    const local = localTime(time, zone)
    found.push(`${new Date(local).toISOString().slice(0, 16)} ${(local - time) / minute}`)
  }
  return found
}

it('a daily run is at its time in winter and in summer', () => {
  const nightly = { type: 'daily', minute: 3 * 60 } as const
  expect(runs(nightly, berlin, '2026-03-28T12:00:00Z')).toEqual([
    '2026-03-29T03:00 120',
    '2026-03-30T03:00 120',
    '2026-03-31T03:00 120',
  ])
  expect(runs(nightly, berlin, '2026-10-24T00:00:00Z')).toEqual([
    '2026-10-24T03:00 120',
    '2026-10-25T03:00 60',
    '2026-10-26T03:00 60',
  ])
})

it('a time that clocks skip is the first moment after, and one that they show twice counts once', () => {
  const early = { type: 'daily', minute: 2 * 60 + 30 } as const
  expect(runs(early, berlin, '2026-03-28T12:00:00Z', 2)).toEqual([
    '2026-03-29T03:00 120',
    '2026-03-30T02:30 120',
  ])
  expect(runs(early, berlin, '2026-10-24T12:00:00Z', 2)).toEqual([
    '2026-10-25T02:30 120',
    '2026-10-26T02:30 60',
  ])
  // A day that clocks skip as a whole.
  expect(runs({ type: 'daily', minute: 9 * 60 }, 'Pacific/Apia', '2011-12-29T12:00:00Z', 3)).toEqual([
    '2011-12-29T09:00 -600',
    '2011-12-31T00:00 840',
    '2011-12-31T09:00 840',
  ])
})

it('intervals keep to the clock, except every hour, which passes', () => {
  const from = at('2026-03-28T02:00:00Z')
  expect(runs({ type: 'hours', hours: 6, from }, berlin, '2026-03-28T19:00:00Z')).toEqual([
    '2026-03-28T21:00 60',
    '2026-03-29T03:00 120',
    '2026-03-29T09:00 120',
  ])
  expect(runs({ type: 'hours', hours: 1, from }, berlin, '2026-10-24T23:30:00Z')).toEqual([
    '2026-10-25T02:00 120',
    '2026-10-25T02:00 60',
    '2026-10-25T03:00 60',
  ])
})

it('the 31st is the last day of shorter months', () => {
  expect(runs({ type: 'monthly', day: 31, minute: 0 }, 'UTC', '2028-01-31T00:00:00Z', 4)).toEqual([
    '2028-02-29T00:00 0',
    '2028-03-31T00:00 0',
    '2028-04-30T00:00 0',
    '2028-05-31T00:00 0',
  ])
})

it('names of the IANA database are zones, offsets and other texts are none', () => {
  for (const zone of ['UTC', berlin, 'America/Argentina/Buenos_Aires']) expect(isTimeZone(zone)).toBe(true)
  for (const zone of ['', '+02:00', 'Europe/Nowhere', 'Mars', ' UTC']) expect(isTimeZone(zone)).toBe(false)
})

const zones = [
  'UTC',
  berlin,
  'America/New_York',
  'America/Santiago',
  'America/St_Johns',
  'Australia/Lord_Howe',
  'Africa/Casablanca',
  'Africa/Cairo',
  'Asia/Kolkata',
  'Pacific/Chatham',
]

/** Local times by the other way of `Intl` to say them: its name of the offset. */
function offsetNamed(time: number, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', { timeZone: zone, timeZoneName: 'longOffset' }).formatToParts(
    time,
  )
  const name = parts.find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours, minutes] = /^GMT([+-])(\d+):(\d+)$/.exec(name) ?? ['', '+', '0', '0']
  return (sign === '-' ? -1 : 1) * (Number(hours) * hour + Number(minutes) * minute)
}

/** The first quarter of an hour at which clocks show a local time or have skipped it. */
function scan(local: number, zone: string): number {
  const quarter = 15 * minute
  for (let time = local - 15 * hour; ; time += quarter)
    if (time + offsetNamed(time, zone) >= local) return time
}

it('a local time is the first moment at which clocks show it or a later one', () => {
  const quarters = fc.integer({
    min: at('2024-01-01T00:00Z') / 900_000,
    max: at('2030-01-01T00:00Z') / 900_000,
  })
  // Near the changes of Berlin, New York and Lord Howe Island, where chance alone would seldom be.
  const changes = ['2026-03-29T02:00Z', '2026-10-25T02:00Z', '2026-11-01T01:00Z', '2026-04-05T01:30Z']
  const near = fc
    .tuple(fc.constantFrom(...changes), fc.integer({ min: -12, max: 12 }))
    .map(([change, off]) => at(change) / 900_000 + off)
  fc.assert(
    fc.property(fc.oneof(quarters, near), fc.constantFrom(...zones), (quarter, zone) => {
      const local = quarter * 900_000
      expect(timeOfLocal(local, zone)).toBe(scan(local, zone))
    }),
    { numRuns: 100 },
  )
})

it('the next run is after the given time, and the first of all that are', () => {
  const rules: fc.Arbitrary<TimeRule> = fc.oneof(
    fc.record({ type: fc.constant('daily' as const), minute: fc.integer({ min: 0, max: 1439 }) }),
    fc.record({
      type: fc.constant('weekly' as const),
      days: fc.uniqueArray(fc.integer({ min: 0, max: 6 }), { minLength: 1 }),
      minute: fc.integer({ min: 0, max: 1439 }),
    }),
    fc.record({
      type: fc.constant('monthly' as const),
      day: fc.integer({ min: 1, max: 31 }),
      minute: fc.integer({ min: 0, max: 1439 }),
    }),
  )
  const times = fc.integer({ min: at('2024-01-01T00:00Z'), max: at('2030-01-01T00:00Z') })
  fc.assert(
    fc.property(rules, fc.constantFrom(...zones), times, (rule, zone, time) => {
      const next = runAfter(rule, zone, time)
      const expected = allRuns(rule, zone, time).filter((run) => run > time)
      expect(next).toBe(Math.min(...expected))
    }),
    { numRuns: 100 },
  )
})

/** All runs around a time, by the calendar: every day of two months, whether it counts or not. */
function allRuns(rule: TimeRule, zone: string, time: number): number[] {
  if (rule.type === 'hours') return []
  const found: number[] = []
  for (let off = -2; off < 63; off++) {
    const date = new Date(Math.floor(time / day) * day + off * day)
    const tomorrow = new Date(date.getTime() + day)
    const isLast = tomorrow.getUTCDate() === 1
    const counts =
      rule.type === 'daily' ||
      (rule.type === 'weekly' && rule.days.some((one) => one === date.getUTCDay())) ||
      (rule.type === 'monthly' &&
        (date.getUTCDate() === rule.day || (isLast && date.getUTCDate() < rule.day)))
    if (counts) found.push(timeOfLocal(date.getTime() + rule.minute * minute, zone))
  }
  return found
}
