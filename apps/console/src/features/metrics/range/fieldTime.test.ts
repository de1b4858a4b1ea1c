import { fromAbsolute } from '@internationalized/date'
import { afterEach, expect, it, vi } from 'vitest'
import { fromField, offsetText, toField, withOffsetOf, zoneOf } from './fieldTime.ts'

afterEach(() => vi.restoreAllMocks())

it('a browser without a known time zone shows UTC', () => {
  const known = new Intl.DateTimeFormat('en', { timeZone: 'Asia/Tokyo' }).resolvedOptions()
  const resolved = vi.spyOn(Intl.DateTimeFormat.prototype, 'resolvedOptions')
  resolved.mockReturnValue({ ...known, timeZone: 'Etc/Unknown' })
  expect(zoneOf(false)).toBe('UTC')
  expect(toField(0, false).toString()).toBe('1970-01-01T00:00:00+00:00[UTC]')
  resolved.mockReturnValue(known)
  expect(zoneOf(false)).toBe('Asia/Tokyo')
})

it('both times of the hour that is repeated at the end of summer time can be chosen, and differ', () => {
  const [first, second] = ['2026-10-25T00:30:00Z', '2026-10-25T01:30:00Z'].map(Date.parse)
  const inBerlin = (time = 0) => fromAbsolute(time, 'Europe/Berlin')
  const fields = [inBerlin(first), inBerlin(second)]
  expect(fields.map(fromField)).toEqual([first, second])
  expect(fields.map(({ hour, minute }) => [hour, minute])).toEqual([
    [2, 30],
    [2, 30],
  ])
  expect(fields.map(offsetText)).toEqual(['UTC+02:00', 'UTC+01:00'])
  expect(offsetText(inBerlin((first ?? 0) - 3_600_000))).toBeUndefined()
  // A changed minute: the library takes the first of both.
  const changed = fields.map((before) => withOffsetOf(before, before.set({ minute: 45 })))
  expect(changed.map(fromField)).toEqual(fields.map((field) => fromField(field) + 15 * 60_000))
  // From a later hour back into the repeated one: still in winter.
  const later = inBerlin(Date.parse('2026-10-25T04:30:00Z'))
  expect(fromField(withOffsetOf(later, later.set({ hour: 2 })))).toBe(second)
  // Times that clocks show once are as they were entered.
  const summer = inBerlin(Date.parse('2026-07-01T10:00:00Z'))
  expect(fromField(withOffsetOf(later, summer))).toBe(fromField(summer))
})
