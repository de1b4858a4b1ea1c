import { afterEach, expect, it, vi } from 'vitest'
import { toField, zoneOf } from './fieldTime.ts'

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
