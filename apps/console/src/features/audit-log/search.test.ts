import { describe, expect, it } from 'vitest'
import {
  activityQueryOf,
  auditQuery,
  betweenTimes,
  filtersOf,
  isFiltered,
  opening,
  spanOf,
} from './filters.ts'
import { activitySearch, auditSearch } from './search.ts'

const now = Date.parse('2026-11-23T12:00:30Z')
const id = '6f0c4a5e-2b1d-4c3e-8f9a-0b1c2d3e4f5a'

describe('the address of the audit log', () => {
  it('leaves out what it does not know', () => {
    expect(
      auditSearch({ last: '2y', result: 'fine', from: 'then', colour: 'red', size: 7, live: 'no' }),
    ).toEqual({})
  })
  it('keeps each filter, also those that look like numbers', () => {
    const search = {
      operation: 'disk_delete',
      kind: 'disk',
      object: 42,
      address: '10.0.0.1',
      result: 'error',
      live: true,
      size: 25,
    }
    expect(auditSearch(search)).toEqual({ ...search, object: '42' })
  })
  it('asks for a window that begins with a minute', () => {
    expect(filtersOf({ last: '1h' }, now).startTime).toEqual(new Date('2026-11-23T11:00:00Z'))
    expect(filtersOf({ last: 'all' }, now).startTime).toEqual(new Date(0))
    const custom = { from: '2026-11-01T00:00:00.000Z', to: '2026-11-02T00:00:00.000Z' }
    expect(filtersOf(custom, now)).toEqual({ startTime: new Date(custom.from), endTime: new Date(custom.to) })
    const spans = [{}, { last: '1h' }, custom] as const
    expect(spans.map((one) => spanOf(one, 'silo'))).toEqual(['7d', '1h', 'custom'])
    expect(spans.map((one) => spanOf(one, 'resource'))).toEqual(['all', '1h', 'custom'])
  })
  it('takes an object for an id or a name', () => {
    expect(filtersOf({ object: id }, now)).toMatchObject({ object: id })
    expect(filtersOf({ object: 'web-1' }, now)).toMatchObject({ objectName: 'web-1' })
    expect(filtersOf({ kind: 'disk' }, now)).toMatchObject({ objectType: 'disk' })
  })
  it('asks for a page, newest first', () => {
    expect(auditQuery({ size: 25, page: 'token' }, now)).toMatchObject({
      limit: 25,
      pageToken: 'token',
      sortBy: 'time_and_id_descending',
    })
    expect([isFiltered({ last: '1h' }), isFiltered({ agent: 'curl' })]).toEqual([false, true])
  })
})

describe('the address of the activity of a resource', () => {
  it('is about all times unless it says otherwise', () => {
    expect(activitySearch({ last: 'all' })).toEqual({})
    expect(activitySearch({ last: '7d' })).toEqual({ last: '7d' })
    expect(activityQueryOf({}, now)).toEqual({ limit: 50 })
    expect(activityQueryOf({ last: '1h', address: '10.0.0.1' }, now)).toEqual({
      limit: 50,
      startTime: new Date('2026-11-23T11:00:00Z'),
    })
  })
  it('names an entry by its id and time, whatever else it shows', () => {
    const address = opening({ id, timeCompleted: new Date(now) })
    expect(activitySearch(address)).toEqual({ entry: id, time: '2026-11-23T12:00:30.000Z' })
    expect(activitySearch({ ...address, time: 'then' })).toEqual({ entry: id })
  })
  it('can be about the entries from one to another, both included', () => {
    expect(activityQueryOf(betweenTimes(now, now), now)).toMatchObject({
      startTime: new Date(now),
      endTime: new Date(now + 1),
    })
  })
})
