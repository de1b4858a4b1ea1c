import { describe, expect, it } from 'vitest'
import { oneLine, perLine, rangeStagesOf, stagesOf, windowCounts, windowOf } from './oxql.ts'
import { chartOf } from './points.ts'

const at = (time: string) => Date.parse(`2026-01-05T${time}Z`)
const hour = { start: at('00:00:00'), end: at('01:00:00') }
const cpu = {
  metric: 'virtual_machine:vcpu_usage',
  filters: { instance_id: 'abc', state: undefined },
  groupBy: 'vcpu_id',
  every: 5,
}

describe('a query', () => {
  it('reads two windows before the range, and groups where asked to', () => {
    expect(oneLine(stagesOf(cpu, hour))).toBe(
      'get virtual_machine:vcpu_usage' +
        ' | filter timestamp >= @2026-01-04T23:58:00.000 && timestamp < @2026-01-05T01:00:00.000' +
        ' && instance_id == "abc" | align mean_within(60s) | group_by [vcpu_id], sum',
    )
  })
  it('leaves out undefined filters, and rounds to seconds', () => {
    const stages = stagesOf(
      { metric: 'a:b', filters: {}, every: 10 },
      { start: hour.start + 7, end: hour.end + 999 },
    )
    expect(oneLine(stages)).toBe(
      'get a:b | filter timestamp >= @2026-01-04T23:58:00.000 && timestamp < @2026-01-05T01:00:00.000' +
        ' | align mean_within(60s)',
    )
  })
  it('can read part of its range with the same windows', () => {
    const part = { start: at('00:10:00'), end: at('00:20:00') }
    const [, whole, filter, align] = stagesOf(cpu, hour, part)
    expect(whole).toContain('timestamp < @2026-01-05T01:00:00.000')
    expect(filter).toBe(
      'filter timestamp >= @2026-01-05T00:10:00.000 && timestamp < @2026-01-05T00:20:00.000',
    )
    expect(align).toBe('align mean_within(60s)')
  })
  it('for ranges has about three hundred windows, of the sum where it groups', () => {
    expect(rangeStagesOf({ ...cpu, groupBy: undefined }, hour).slice(2)).toEqual(['align range_within(10s)'])
    expect(rangeStagesOf(cpu, hour).slice(1)).toEqual([
      'filter timestamp >= @2026-01-04T23:59:40.000 && timestamp < @2026-01-05T01:00:00.000 && instance_id == "abc"',
      'align mean_within(5s)',
      'group_by [], sum',
      'align range_within(10s)',
    ])
    expect(windowOf({ start: 0, end: 24 * 3_600_000 }, 5, windowCounts.ranges)).toBe(290)
  })
  it('has about sixty points with equal numbers of samples', () => {
    const windows = (every: number) =>
      [1, 8, 10, 60, 1440].map((minutes) => windowOf({ start: 0, end: minutes * 60_000 }, every))
    expect(windows(5)).toEqual([5, 10, 10, 60, 1440])
    expect(windows(10)).toEqual([10, 10, 10, 60, 1440])
    expect(windowOf({ start: 0, end: 17 * 60_000 }, 10)).toBe(20)
  })
  it('is formatted with a stage per line and a condition per line', () => {
    expect(perLine(stagesOf(cpu, hour)).split('\n')).toEqual([
      'get virtual_machine:vcpu_usage',
      '  | filter timestamp >= @2026-01-04T23:58:00.000',
      '    && timestamp < @2026-01-05T01:00:00.000',
      '    && instance_id == "abc"',
      '  | align mean_within(60s)',
      '  | group_by [vcpu_id], sum',
    ])
  })
})

// A series with a point per minute.
const series = (start: string, values: (number | null)[]) => ({
  fields: {},
  points: {
    startTimes: null,
    timestamps: values.map((_, i) => new Date(at(start) + i * 60_000).toISOString()),
    values: [{ metricType: 'gauge' as const, values: { type: 'double' as const, values } }],
  },
})
const answer = (...timeseries: ReturnType<typeof series>[]) => ({ tables: [{ name: 'a:b', timeseries }] })
const queryWindow = { range: hour, window: 60 }
const plain = { label: (count: number) => `${count} series` }
const read = (from: ReturnType<typeof answer>, line: Parameters<typeof chartOf>[2] = plain) => {
  const { times, series: lines } = chartOf(from, queryWindow, line)
  const values = lines[0]?.values ?? []
  return times.map((time, i) => [new Date(time).toISOString().slice(11, 16), values[i]])
}

describe('the data of a chart', () => {
  it('is summed by timestamp, also if series start at different times', () => {
    const early = series('00:10:00', [900, 1, 2, 3])
    const late = series('00:11:00', [900, 20, null])
    expect(read(answer(early, late))).toEqual([
      ['00:11', 1],
      ['00:12', 22],
      ['00:13', 3],
    ])
  })
  it('leaves out the first value of each series', () => {
    expect(read(answer(series('00:10:00', [null, 900, 5])))).toEqual([['00:12', 5]])
  })
  it('is null where no series has a value', () => {
    const one = series('00:10:00', [9, 1, null, 3])
    expect(read(answer(one, one))).toEqual([
      ['00:11', 2],
      ['00:12', null],
      ['00:13', 6],
    ])
  })
  it('has a gap where points are missing', () => {
    const before = series('00:10:00', [9, 1])
    const after = series('00:30:00', [9, 7])
    expect(read(answer(before, after))).toEqual([
      ['00:11', 1],
      ['00:12', null],
      ['00:31', 7],
    ])
  })
  it('ends with the range', () => {
    expect(read(answer(series('00:58:00', [9, 1, 2, 3])))).toEqual([
      ['00:59', 1],
      ['01:00', 2],
    ])
  })
  it('can be converted, with the number of series', () => {
    const one = series('00:10:00', [9, 2e9])
    const share = {
      label: (count: number) => `${count} vCPUs`,
      convert: (sum: number, n: number) => sum / n / 5e7,
    }
    expect(read(answer(one, one), share)).toEqual([['00:11', 40]])
    expect(chartOf(answer(one, one), queryWindow, share).series[0]?.label).toBe('2 vCPUs')
  })
  it('has ranges where the answer has them; the last of a sum is not complete', () => {
    const dimension = (values: (number | null)[]) => ({
      metricType: 'gauge' as const,
      values: { type: 'double' as const, values },
    })
    const one = series('00:10:00', [9, 2e9, null, 1e9, 5e8])
    const ranged = {
      ...one,
      points: {
        ...one.points,
        values: [...one.points.values, dimension([9, 1e9, null, 1e9, 1]), dimension([9, 4e9, null, 1e9, 1])],
      },
    }
    const share = { label: (n: number) => `${n} vCPUs`, convert: (sum: number, n: number) => sum / n / 5e7 }
    expect(chartOf(answer(ranged), queryWindow, { ...share, sumOf: 2 }).series).toEqual([
      {
        label: '2 vCPUs',
        values: [20, null, 10],
        range: { least: [10, null, 10], most: [40, null, 10] },
      },
    ])
    const flat = { ...one, points: { ...one.points, values: Array(3).fill(one.points.values[0]) } }
    expect(chartOf(answer(flat), queryWindow, plain).series[0]).not.toHaveProperty('range')
  })
  it('of ranked series is the lowest that has a value at a time', () => {
    const guest = series('00:10:00', [900, 1, null, 3])
    const host = series('00:10:00', [900, 50, 60, null])
    const line = { ...plain, rank: (one: unknown) => (one === guest ? 0 : 1) }
    expect(read(answer(host, guest), line)).toEqual([
      ['00:11', 1],
      ['00:12', 60],
      ['00:13', 3],
    ])
  })
  it('has no lines without series', () => {
    expect(chartOf(answer(), queryWindow, plain)).toEqual({ times: [], series: [] })
    expect(chartOf({ tables: [] }, queryWindow, plain)).toEqual({ times: [], series: [] })
  })
})
