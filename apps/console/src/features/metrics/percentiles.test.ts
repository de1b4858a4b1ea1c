import { describe, expect, it } from 'vitest'
import { oneLine, stagesOf } from './oxql.ts'
import { percentile, percentilesOf } from './percentiles.ts'

const start = Date.parse('2026-01-05T10:00:00Z')
const range = { start, end: start + 3 * 60_000 }
const queryWindow = { range, window: 60 }
const bins = [0, 100, 200]

// A series with a distribution every `every` seconds.
const series = (every: number, counts: (number[] | null)[]) => ({
  fields: {},
  points: {
    startTimes: null,
    timestamps: counts.map((_, i) => new Date(start + i * every * 1000).toISOString()),
    values: [
      {
        metricType: 'delta' as const,
        values: {
          type: 'integer_distribution' as const,
          values: counts.map((one) => one && { bins, counts: one, sumOfSamples: 0, squaredMean: 0 }),
        },
      },
    ],
  },
})
const read = (...timeseries: ReturnType<typeof series>[]) =>
  percentilesOf({ tables: [{ name: 'd:l', timeseries }] }, queryWindow)

describe('a percentile', () => {
  it('is interpolated within its bin', () => {
    const counts = new Map([
      [100, 5],
      [0, 5],
    ])
    expect([0.1, 0.5, 0.9].map((share) => percentile(counts, share))).toEqual([20, 100, 180])
  })
  it('skips empty bins', () => {
    const counts = new Map([
      [0, 1],
      [10, 0],
      [20, 1],
    ])
    expect(percentile(counts, 0.99)).toBeCloseTo(39.6)
  })
  it('is null without values', () => {
    expect(percentile(new Map([[0, 0]]), 0.5)).toBeNull()
    expect(percentile(new Map(), 0.5)).toBeNull()
  })
})

describe('lines of percentiles', () => {
  it('merge all series of a window, and windows end with the range', () => {
    const first = [9, 9, 9]
    const one = series(30, [first, [2, 0, 0], [0, 0, 0], [0, 0, 0], [0, 0, 0]])
    const other = series(30, [first, [0, 2, 0], [0, 0, 0], [0, 0, 0], [0, 4, 0]])
    const { times, series: lines } = read(one, other)
    expect(times).toEqual([1, 2, 3].map((minute) => start + minute * 60_000))
    expect(lines.map(({ label }) => label)).toEqual(['p50', 'p90', 'p99'])
    expect(lines[0]?.values).toEqual([100, 150, null])
  })
  it('have a gap where nothing was measured', () => {
    expect(read(series(60, [[1, 1, 1], null, [1, 0, 0]])).series[0]?.values).toEqual([null, 50, null])
  })
  it('are empty without series', () => {
    expect(read()).toMatchObject({ times: [], series: [{ values: [] }, { values: [] }, { values: [] }] })
  })
})

it('queries for distributions do not align or group', () => {
  const query = { metric: 'd:l', filters: {}, groupBy: 'x', every: 10, isDistribution: true }
  expect(oneLine(stagesOf(query, range))).not.toMatch(/align|group_by/)
})
