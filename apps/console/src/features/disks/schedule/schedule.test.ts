import { expect, it } from 'vitest'
import { bodyOf, intervalWords, mostIn, valuesOf, type Schedule, type Values } from './schedule.ts'

const first = new Date(2030, 0, 2, 3, 4, 5)
const schedule: Schedule = {
  id: 's',
  everyHours: 48,
  timeFirstRun: first,
  keep: 5,
  paused: true,
  userId: 'u',
  timeCreated: first,
  timeModified: first,
}
const values: Values = { every: 2, unit: 'days', firstRun: '2030-01-02T03:04', keep: 5, paused: true }

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

it('the form has the values of the schedule; a new one is daily and keeps a week', () => {
  expect(valuesOf({ schedule })).toEqual(values)
  const fresh = { every: 1, unit: 'days', firstRun: '', keep: 7, paused: false }
  expect(valuesOf({ schedule: null })).toEqual(fresh)
  expect(valuesOf({})).toEqual(fresh)
})

it('the request leaves out a first run that is as it was, and an empty one is now', () => {
  const { firstRun } = values
  const body = { everyHours: 48, keep: 5, paused: true }
  expect(bodyOf(values, firstRun, 0)).toEqual(body)
  expect(bodyOf({ ...values, unit: 'hours' }, firstRun, 0)).toEqual({ ...body, everyHours: 2 })
  expect(bodyOf({ ...values, firstRun: '' }, firstRun, 7)).toEqual({ ...body, timeFirstRun: new Date(7) })
  const later = { ...values, firstRun: '2030-01-03T03:00' }
  expect(bodyOf(later, firstRun, 0).timeFirstRun).toEqual(new Date(2030, 0, 3, 3, 0))
  // A new schedule begins now unless it says when.
  expect(bodyOf({ ...values, firstRun: '' }, '', 7)).toEqual(body)
})
