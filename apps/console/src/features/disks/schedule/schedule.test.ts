import { expect, it } from 'vitest'
import { browserZone } from '#/lib/input/localTime.ts'
import { bodyOf, intervalWords, mostIn, valuesOf, type Schedule, type Values } from './schedule.ts'

const first = new Date('2030-01-02T02:04:05Z')
const schedule: Schedule = {
  id: 's',
  everyHours: 48,
  timeFirstRun: first,
  timeZone: 'Europe/Berlin',
  keep: 5,
  paused: true,
  userId: 'u',
  timeCreated: first,
  timeModified: first,
}
const values: Values = {
  every: 2,
  unit: 'days',
  firstRun: '2030-01-02T03:04',
  timeZone: 'Europe/Berlin',
  keep: 5,
  paused: true,
}

it('intervals are in days if they are whole days, and in hours otherwise', () => {
  expect([1, 6, 24, 36, 168].map(intervalWords)).toEqual([
    'Every hour',
    'Every 6 hours',
    'Every day',
    'Every 36 hours',
    'Every 7 days',
  ])
  expect([mostIn('hours'), mostIn('days')]).toEqual([744, 31])
})

it('the form has the values of the schedule; a new one is daily and keeps a week, in the zone of the browser', () => {
  expect(valuesOf({ schedule })).toEqual(values)
  const fresh = { every: 1, unit: 'days', firstRun: '', timeZone: browserZone(), keep: 7, paused: false }
  expect(valuesOf({ schedule: null })).toEqual(fresh)
  expect(valuesOf({})).toEqual(fresh)
  const { timeZone: _, ...before } = schedule
  expect(valuesOf({ schedule: before })).toMatchObject({ firstRun: '2030-01-02T02:04', timeZone: 'UTC' })
})

it('the request leaves out a first run that is as it was, and an empty one is now', () => {
  const body = { everyHours: 48, keep: 5, paused: true, timeZone: 'Europe/Berlin' }
  expect(bodyOf(values, values, 0)).toEqual(body)
  expect(bodyOf({ ...values, unit: 'hours' }, values, 0)).toEqual({ ...body, everyHours: 2 })
  expect(bodyOf({ ...values, firstRun: '' }, values, 7)).toEqual({ ...body, timeFirstRun: new Date(7) })
  const later = { ...values, firstRun: '2030-01-03T03:00' }
  expect(bodyOf(later, values, 0).timeFirstRun).toEqual(new Date('2030-01-03T02:00:00Z'))
  // In another zone the same text is another time.
  const moved = bodyOf({ ...values, timeZone: 'Asia/Tokyo' }, values, 0)
  expect(moved).toMatchObject({ timeZone: 'Asia/Tokyo', timeFirstRun: new Date('2030-01-01T18:04:00Z') })
  // A new schedule begins now unless it says when.
  expect(bodyOf({ ...values, firstRun: '' }, { ...values, firstRun: '' }, 7)).toEqual(body)
})
