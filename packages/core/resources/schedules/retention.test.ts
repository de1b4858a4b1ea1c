import { keysOf } from '@purlin/contract/rules/keys'
import { runAfter, type TimeRule } from '@purlin/contract/rules/time/next-run'
import {
  keptInTheLongRun,
  keptOf,
  periodStart,
  retentionClasses,
  type Retention,
} from '@purlin/contract/rules/time/retention'
import { expect, it } from 'vitest'
import fc from '#/testing/properties.ts'

const hour = 3_600_000
const day = 24 * hour
const none: Retention = { hourly: 0, daily: 0, weekly: 0, monthly: 0 }
const at = (text: string) => Date.parse(text)
const berlin = 'Europe/Berlin'

/** A snapshot every hour of a span, the newest first. */
const everyHour = (from: string, hours: number) =>
  Array.from({ length: hours }, (_, i) => ({ at: at(from) + i * hour })).toReversed()
const texts = (kept: Iterable<{ at: number }>) =>
  [...kept].map((one) => new Date(one.at).toISOString().slice(0, 16)).toSorted()

it('the last snapshot of each hour, day, week and month is kept', () => {
  const made = everyHour('2026-01-01T00:30Z', 24 * 60)
  expect(texts(keptOf(made, { ...none, hourly: 2 }, 'UTC'))).toEqual(['2026-03-01T22:30', '2026-03-01T23:30'])
  expect(texts(keptOf(made, { ...none, daily: 2 }, 'UTC'))).toEqual(['2026-02-28T23:30', '2026-03-01T23:30'])
  // 1 March 2026 is a Sunday: weeks begin on Monday.
  expect(texts(keptOf(made, { ...none, weekly: 2 }, 'UTC'))).toEqual(['2026-02-22T23:30', '2026-03-01T23:30'])
  expect(texts(keptOf(made, { ...none, monthly: 9 }, 'UTC'))).toEqual([
    '2026-01-31T23:30',
    '2026-02-28T23:30',
    '2026-03-01T23:30',
  ])
})

it('a day has 23 hours when clocks go forward and 25 when they go back', () => {
  const inSpring = everyHour('2026-03-28T23:00Z', 23)
  expect(keptOf(inSpring, { ...none, hourly: 100 }, berlin).size).toBe(23)
  expect(texts(keptOf(inSpring, { ...none, daily: 9 }, berlin))).toEqual(['2026-03-29T21:00'])
  const inAutumn = everyHour('2026-10-24T22:00Z', 25)
  // The hour that clocks show twice is two.
  expect(keptOf(inAutumn, { ...none, hourly: 100 }, berlin).size).toBe(25)
  expect(texts(keptOf(inAutumn, { ...none, daily: 9 }, berlin))).toEqual(['2026-10-25T22:00'])
  expect(texts(keptOf(inAutumn, { ...none, weekly: 9 }, berlin))).toEqual(['2026-10-25T22:00'])
  const begin = new Date(periodStart('monthly', at('2026-10-31T12:00Z'), berlin)).toISOString()
  expect(begin).toBe('2026-09-30T22:00:00.000Z')
})

it('a gap does not count, so that the last snapshots stay while none are made', () => {
  const made = everyHour('2026-01-01T00:00Z', 48)
  const later = { at: at('2026-09-01T12:00Z') }
  expect(texts(keptOf([later, ...made], { ...none, daily: 2 }, 'UTC'))).toEqual([
    '2026-01-02T23:00',
    '2026-09-01T12:00',
  ])
})

const zones = [
  'UTC',
  berlin,
  'Australia/Lord_Howe',
  'America/St_Johns',
  'Asia/Kathmandu',
  'Africa/Casablanca',
]
const count = fc.integer({ min: 0, max: 6 })
const retentions = fc.record({ hourly: count, daily: count, weekly: count, monthly: count })
/** Times around both changes of the clocks, and over months. */
const times = fc.array(
  fc.oneof(
    fc.integer({ min: at('2026-03-27T00:00Z'), max: at('2026-04-07T00:00Z') }),
    fc.integer({ min: at('2026-10-23T00:00Z'), max: at('2026-11-03T00:00Z') }),
    fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2026-12-31T00:00Z') }),
  ),
  { maxLength: 60 },
)

/** The period of a class as people write it down, with the offset of the zone for hours. */
function label(of: keyof Retention, time: number, timeZone: string): string {
  const parts = new Intl.DateTimeFormat('en-CA', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    timeZoneName: 'longOffset',
  }).formatToParts(time)
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? ''
  const date = `${part('year')}-${part('month')}-${part('day')}`
  if (of === 'hourly') return `${date} ${part('hour')} ${part('timeZoneName')}`
  if (of === 'daily') return date
  if (of === 'monthly') return date.slice(0, 7)
  const noon = at(`${date}T12:00Z`)
  const sinceMonday = (new Date(noon).getUTCDay() + 6) % 7
  return new Date(noon - sinceMonday * day).toISOString().slice(0, 10)
}

/** Counts for each snapshot the later periods that have one. */
function countedByHand(made: readonly { at: number }[], keep: Retention, zone: string): Set<{ at: number }> {
  const classes = keysOf(retentionClasses)
  const isKept = (one: { at: number }, index: number) =>
    classes.some((of) => {
      const own = label(of, one.at, zone)
      const later = made.slice(0, index).map((other) => label(of, other.at, zone))
      return !later.includes(own) && new Set(later).size < keep[of]
    })
  return new Set(made.filter(isKept))
}

it('keeps what a count by hand keeps', () => {
  const check = (given: number[], keep: Retention, zone: string) => {
    const made = given.toSorted((a, b) => b - a).map((time) => ({ at: time }))
    expect(texts(keptOf(made, keep, zone))).toEqual(texts(countedByHand(made, keep, zone)))
  }
  fc.assert(fc.property(times, retentions, fc.constantFrom(...zones), check), { numRuns: 150 })
})

it('deleting run by run leaves the same as deleting at once, and the newest always stays', () => {
  const check = (given: number[], keep: Retention, zone: string) => {
    if (Object.values(keep).every((most) => most === 0)) return
    const made = given.toSorted((a, b) => a - b).map((time) => ({ at: time }))
    let left: { at: number }[] = []
    for (const one of made) {
      const all = [one, ...left]
      const kept = keptOf(all, keep, zone)
      expect(kept.has(one)).toBe(true)
      left = all.filter((each) => kept.has(each))
    }
    expect(texts(left)).toEqual(texts(keptOf(made.toReversed(), keep, zone)))
  }
  fc.assert(fc.property(times, retentions, fc.constantFrom(...zones), check), { numRuns: 150 })
})

const minutes = fc.integer({ min: 0, max: 1439 })
const rules: fc.Arbitrary<TimeRule> = fc.oneof(
  fc.record({
    type: fc.constant('hours' as const),
    hours: fc.integer({ min: 6, max: 100 }),
    from: fc.integer({ min: at('2026-01-01T00:00Z'), max: at('2026-12-31T00:00Z') }),
  }),
  fc.record({ type: fc.constant('daily' as const), minute: minutes }),
  fc.record({ type: fc.constant('weekly' as const), days: fc.constantFrom([1], [0, 3]), minute: minutes }),
  fc.record({ type: fc.constant('monthly' as const), day: fc.integer({ min: 1, max: 31 }), minute: minutes }),
)

it('the preview keeps as many as all runs leave', () => {
  const small = fc.integer({ min: 0, max: 3 })
  const some = fc.record({ hourly: small, daily: small, weekly: small, monthly: small })
  const check = (rule: TimeRule, keep: Retention, timeZone: string) => {
    const [newest] = keptInTheLongRun({ rule, timeZone, keep }, at('2026-01-01T00:00Z'))
    if (newest === undefined) return
    const made: { at: number }[] = []
    for (let run = runAfter(rule, timeZone, newest - 130 * day); run <= newest;) {
      made.push({ at: run })
      run = runAfter(rule, timeZone, run)
    }
    const found = keptInTheLongRun({ rule, timeZone, keep }, at('2026-01-01T00:00Z'))
    expect(texts(keptOf(made.toReversed(), keep, timeZone))).toEqual(
      texts(found.map((time) => ({ at: time }))),
    )
  }
  fc.assert(fc.property(rules, some, fc.constantFrom('UTC', berlin), check), { numRuns: 60 })
})

it('a preview of the most that can be kept is quick', () => {
  const most = { hourly: 100, daily: 100, weekly: 100, monthly: 100 }
  const rule = { type: 'hours', hours: 1, from: 0 } as const
  const found = keptInTheLongRun({ rule, timeZone: berlin, keep: most }, at('2026-01-01T00:00Z'))
  expect(found.length).toBeGreaterThan(280)
})
