import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { noteServerDate, serverNow } from './clock.ts'

const noon = Date.parse('2026-03-01T12:00:00Z')
beforeEach(() => vi.useFakeTimers({ now: noon }))
afterEach(() => {
  noteServerDate(new Date(noon).toUTCString())
  vi.useRealTimers()
})

it.each([-2, 2])('the present is that of the server where the clock of the computer is %i h off', (hours) => {
  const server = noon - hours * 3_600_000
  noteServerDate(new Date(server).toUTCString())
  expect(serverNow()).toBe(server)
  vi.advanceTimersByTime(1500)
  expect(serverNow()).toBe(server + 1500)
})

it('seconds of delay do not count, and neither does an answer without a date', () => {
  noteServerDate(new Date(noon - 3000).toUTCString())
  expect(serverNow()).toBe(noon)
  noteServerDate(null)
  noteServerDate('no date')
  expect(serverNow()).toBe(noon)
})
