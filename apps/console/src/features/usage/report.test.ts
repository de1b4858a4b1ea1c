import { dayMs } from '@purlin/contract/rules/usage/reports'
import { expect, it } from 'vitest'
import { daysOf, divisionIn, hoursOf, rangeIn, reportAddress, rowsOf, type Sum } from './report.ts'
import { reportSearch } from './search.ts'

const now = Date.parse('2026-03-15T10:30:00Z')
const day = (text: string) => Date.parse(`${text}T00:00:00Z`)
const sum = (more: Partial<Sum>): Sum => ({
  cpuSeconds: 0,
  memoryGibSeconds: 0,
  storageGibSeconds: 0,
  addressSeconds: 0,
  ...more,
})

it('periods are whole days, up to the end of today', () => {
  const end = day('2026-03-16')
  expect(rangeIn({}, now)).toEqual({ start: day('2026-02-14'), end })
  expect(rangeIn({ period: 'week' }, now)).toEqual({ start: day('2026-03-09'), end })
  expect(rangeIn({ period: 'this-month' }, now)).toEqual({ start: day('2026-03-01'), end })
  expect(rangeIn({ period: 'last-month' }, now)).toEqual({ start: day('2026-02-01'), end: day('2026-03-01') })
  const january = Date.parse('2026-01-31T23:00:00Z')
  expect(rangeIn({ period: 'last-month' }, january)).toEqual({
    start: day('2025-12-01'),
    end: day('2026-01-01'),
  })
  const fixed = { start: '2026-01-01T00:00:00.000Z', end: '2026-01-02T00:00:00.000Z' }
  expect(rangeIn(fixed, now)).toEqual({ start: day('2026-01-01'), end: day('2026-01-02') })
})

it('the address has only what is not usual', () => {
  const ofSilo = reportSearch('silo')
  expect(ofSilo({ period: 'month', by: 'project' })).toEqual({})
  expect(ofSilo({ period: 'week', by: 'tag', tag: 'env' })).toEqual({ period: 'week', by: 'tag', tag: 'env' })
  expect(ofSilo({ by: 'silo' })).toEqual({})
  expect(reportSearch('fleet')({ by: 'project' })).toEqual({ by: 'project' })
  expect(divisionIn({}, { level: 'project', project: 'p' })).toBe('day')
})

it('the largest come first, days from the newest', () => {
  const small = sum({ cpuSeconds: 9, cost: '1.5' })
  const large = sum({ cpuSeconds: 1, cost: '10.00' })
  expect(rowsOf([small, large], 'project')).toEqual([large, small])
  const [a, b] = [sum({ storageGibSeconds: 1 }), sum({ storageGibSeconds: 2 })]
  expect(rowsOf([a, b], 'tag')).toEqual([b, a])
  expect(rowsOf([a, b], 'day')).toEqual([b, a])
})

it('a chart has each day of the range up to now', () => {
  const range = { start: day('2026-03-13') + 1000, end: day('2026-03-16') }
  const sums = [sum({ day: new Date(day('2026-03-14')), cpuSeconds: 7200 })]
  const valueOf = (one: Sum | undefined) => hoursOf(one, 'cpuSeconds')
  expect(daysOf(sums, range, { label: 'vCPU', now, valueOf })).toEqual({
    times: [range.start, day('2026-03-14'), day('2026-03-15'), now],
    series: [{ label: 'vCPU', values: [0, 2, 0, 0] }],
  })
  expect(daysOf([], range, { label: 'vCPU', now, valueOf })).toEqual({ times: [], series: [] })
})

it('the export has the parts of the table for each day', () => {
  const range = { start: now - dayMs, end: now }
  const url = new URL(reportAddress({ level: 'fleet' }, range, { by: ['silo'] }), 'https://cloud.test')
  expect(url.pathname).toBe('/v1/system/usage')
  expect(url.searchParams.getAll('by')).toEqual(['silo', 'day'])
  const ofTag = reportAddress({ level: 'project', project: 'shop' }, range, { tag: 'env' })
  expect(ofTag).toContain('/v1/projects/shop/usage?')
  expect(ofTag).toContain('tag=env')
})
