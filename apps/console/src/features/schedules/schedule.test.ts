import { expect, it } from 'vitest'
import { bodyOf, doesWords, emptyValues, keptWords, nextRuns, targetProblem, valuesOf } from './schedule.ts'

const now = Date.parse('2026-03-27T12:00:00Z')
const empty = { ...emptyValues(), timeZone: 'Europe/Berlin' }
const id = '0c6c1d52-3c1b-4a0e-8f0e-2a8b1f7a9b11'
const stored = {
  id,
  name: 'nightly',
  description: '',
  timeCreated: new Date(now),
  timeModified: new Date(now),
  projectId: id,
  userId: id,
  timeZone: 'Europe/Berlin',
  paused: false,
}

it('the preview says when the next runs are, in the time zone', () => {
  expect(nextRuns({ ...empty, every: 'daily', time: '02:30' }, { now, count: 3 })).toEqual([
    'Sat Mar 28, 2026, 2:30 AM',
    // Clocks skip the hour.
    'Sun Mar 29, 2026, 3:00 AM',
    'Mon Mar 30, 2026, 2:30 AM',
  ])
  expect(nextRuns({ ...empty, time: '' }, { now, count: 3 })).toEqual([])
  expect(nextRuns({ ...empty, timeZone: 'Nowhere' }, { now, count: 3 })).toEqual([])
})

it('a sentence says which snapshots are kept', () => {
  const values = { ...empty, action: 'snapshot', target: 'disks', time: '03:00' } as const
  expect(keptWords({ ...values, daily: 7, weekly: 4 }, now)).toMatch(
    /^Of the last 7 days and 4 weeks with a snapshot, the last one of each is kept\. In the long run, \d+ snapshots of each disk, the oldest \d+ days older than the newest\.$/,
  )
  expect(keptWords({ ...values, daily: 1, weekly: 0 }, now)).toBe(
    'Of the last 1 day with a snapshot, the last one of each is kept. In the long run, 1 snapshot of each disk.',
  )
  expect(keptWords({ ...values, daily: 0, weekly: 0 }, now)).toBeUndefined()
  expect(keptWords({ ...values, daily: NaN }, now)).toBeUndefined()
})

it('a stored schedule is sent as it was, with its first run to the second', () => {
  const rule = { type: 'hours', hours: 6, timeFirstRun: new Date('2026-01-02T03:04:05Z') } as const
  const keep = { hourly: 0, daily: 2, weekly: 0, monthly: 0 }
  const values = valuesOf({ ...stored, action: 'snapshot', disks: [{ id, name: 'a' }], keep, rule })
  expect(bodyOf(values)).toEqual({
    name: 'nightly',
    description: '',
    action: 'snapshot',
    rule,
    disks: ['a'],
    keep,
    timeZone: 'Europe/Berlin',
    paused: false,
  })
  expect(bodyOf({ ...values, firstRun: '2026-01-02T05:00' }).rule).toEqual({
    ...rule,
    timeFirstRun: new Date('2026-01-02T04:00:00Z'),
  })
  expect(bodyOf({ ...values, firstRun: '' }).rule).toEqual({ type: 'hours', hours: 6 })
})

it('disks are neither started nor stopped', () => {
  expect(targetProblem({ ...empty, action: 'stop', target: 'diskTag' })).toBe('Choose what to stop')
  expect(targetProblem({ ...empty, action: 'snapshot', target: 'disks' })).toBe('Choose disks, or name a tag')
  expect(targetProblem({ ...empty, action: 'stop', target: 'instances' })).toBe(
    'Choose instances, or name a tag',
  )
  expect(targetProblem(empty)).toBeUndefined()
  expect(doesWords({ action: 'snapshot', diskTag: 'env' })).toBe('Take snapshots of disks with the tag env')
})
