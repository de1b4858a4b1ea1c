import { describe, expect, it } from 'vitest'
import type { Histogram, SeriesRequest } from '#/timeseries/model.ts'
import { memoryReader, schemaOf, type Stored } from '#/testing/memory-series.ts'
import { answerQuery, type Scope } from './query.ts'
import { QueryError } from './syntax.ts'

const now = Date.parse('2026-01-02T00:10:00.000Z')
const project = '11111111-1111-4111-8111-111111111111'
const other = '22222222-2222-4222-8222-222222222222'
const ids = { project_id: 'uuid', silo_id: 'uuid' } as const
const schemas = [
  schemaOf('vm:temp', 'f64', { ...ids, vm: 'string' }),
  schemaOf('vm:fan', 'f64', { ...ids, vm: 'string' }),
  schemaOf('vm:count', 'u64', { ...ids, vm: 'string', cpu: 'u32', up: 'bool', ip: 'ip_addr' }),
  schemaOf('vm:busy', 'cumulative_u64', { ...ids, vm: 'string', cpu: 'u32' }),
  schemaOf('vm:latency', 'histogram_u64', { ...ids, vm: 'string' }),
  schemaOf('vm:state', 'string', { vm: 'string' }),
  schemaOf('vm:on', 'bool', { vm: 'string' }),
  schemaOf('vm:image', 'bytes', { vm: 'string' }),
]
/** Converts seconds since midnight to ms since 1970. */
const at = (...seconds: number[]) => seconds.map((s) => Date.parse('2026-01-02T00:00:00.000Z') + s * 1000)
const mine = { project_id: project, silo_id: other }
const histogram = (samples: number[], sum: number): Histogram => ({
  edges: [0, 10],
  counts: [samples.filter((one) => one < 10).length, samples.filter((one) => one >= 10).length],
  min: Math.min(...samples),
  max: Math.max(...samples),
  sum,
  squaredMean: samples.reduce((all, one) => all + (one - sum / samples.length) ** 2, 0),
  p50: 5,
  p90: 9,
  p99: 10,
})

const starts = (first: number, ...seconds: number[]) => seconds.map(() => at(first)[0] ?? 0)
const stored: Stored[] = [
  { of: 'vm:temp', fields: { ...mine, vm: 'a' }, times: at(10, 20, 30, 40), values: [1, null, 3, 5] },
  { of: 'vm:temp', fields: { ...mine, vm: 'b', project_id: other }, times: at(30, 40), values: [10, 20] },
  { of: 'vm:fan', fields: { ...mine, vm: 'a' }, times: at(20, 40, 60), values: [100, 200, 300] },
  {
    of: 'vm:count',
    fields: { ...mine, vm: 'a', cpu: 0, up: true, ip: '10.0.0.1' },
    times: at(5, 10),
    values: [7, 8],
  },
  {
    of: 'vm:count',
    fields: { ...mine, vm: 'ab', cpu: 1, up: false, ip: 'fd00::1' },
    times: at(5),
    values: [9],
  },
  {
    of: 'vm:busy',
    fields: { ...mine, vm: 'a', cpu: 0 },
    times: at(10, 20, 30, 40, 50),
    starts: [...starts(0, 10, 20, 30), ...starts(35, 40, 50)],
    values: [10, 25, null, 4, 6],
  },
  {
    of: 'vm:busy',
    fields: { ...mine, vm: 'a', cpu: 1 },
    times: at(10, 20),
    starts: starts(0, 10, 20),
    values: [2, 4],
  },
  {
    of: 'vm:latency',
    fields: { ...mine, vm: 'a' },
    times: at(10, 20),
    starts: starts(0, 10, 20),
    values: [histogram([2, 18], 20), histogram([2, 18, 4, 6], 30)],
  },
  { of: 'vm:state', fields: { vm: 'a' }, times: at(1, 2), values: ['up', 'down'] },
  { of: 'vm:on', fields: { vm: 'a' }, times: at(1, 2), values: [true, false] },
]

const ask = (query: string, scope: Scope = null, of = stored) =>
  answerQuery(query, scope, { reader: memoryReader(schemas, of), now, checkpoint: () => Promise.resolve() })
/** Formats each series as `vm cpu: second=value …`, in the order of the tables. */
async function rows(query: string, of = stored): Promise<string[]> {
  const tables = await ask(query, null, of)
  return tables.flatMap(({ timeseries }) =>
    timeseries.map(({ fields, points }) => {
      const { vm, cpu } = fields
      const dimensions = points.values.map(({ values }) => values.values)
      const texts = points.timestamps.map(
        (time, i) =>
          `${(Date.parse(time) - (at(0)[0] ?? 0)) / 1000}=${dimensions
            .map((values) => JSON.stringify(values[i]))
            .join('/')
            .replaceAll('null', '-')
            .replaceAll('"', '')}`,
      )
      return `${[vm, cpu].flatMap((field) => (field ? [field.value] : [])).join(' ')}: ${texts.join(' ')}`
    }),
  )
}
async function errorOf(query: string, scope: Scope = null): Promise<string> {
  const error: unknown = await ask(query, scope).then(
    () => null,
    (reason: unknown) => reason,
  )
  if (error instanceof QueryError) return error.message
  throw new Error(`${query} did not fail: ${String(error)}`)
}
const all = 'filter timestamp < @2026-01-02T00:01:00'

describe('get', () => {
  it('returns a gauge as it is stored, including missing values', async () => {
    expect(await ask(`get vm:temp | ${all} && vm == 'a'`)).toEqual([
      {
        name: 'vm:temp',
        timeseries: [
          {
            fields: {
              project_id: { type: 'uuid', value: project },
              silo_id: { type: 'uuid', value: other },
              vm: { type: 'string', value: 'a' },
            },
            points: {
              startTimes: null,
              timestamps: [
                '2026-01-02T00:00:10.000Z',
                '2026-01-02T00:00:20.000Z',
                '2026-01-02T00:00:30.000Z',
                '2026-01-02T00:00:40.000Z',
              ],
              values: [{ metricType: 'gauge', values: { type: 'double', values: [1, null, 3, 5] } }],
            },
          },
        ],
      },
    ])
  })
  it('returns a counter as deltas: the first total, then differences, starting again after a reset', async () => {
    const [table] = await ask(`get vm:busy | ${all} && cpu == 0`)
    const points = table?.timeseries[0]?.points
    expect(points?.values).toEqual([
      { metricType: 'delta', values: { type: 'integer', values: [10, 15, null, 4, 2] } },
    ])
    const starts = at(0, 10, 20, 35, 40).map((time) => new Date(time).toISOString())
    expect(points?.startTimes).toEqual(starts)
  })
  it('computes a delta from the last known total, or returns the total if there is none', async () => {
    const series = (values: (number | null)[]): Stored[] => [
      { of: 'vm:busy', fields: { vm: 'a' }, times: at(10, 20, 30), starts: starts(0, 10, 20, 30), values },
    ]
    expect(await rows(`get vm:busy | ${all}`, series([4, null, 9]))).toEqual(['a : 10=4 20=- 30=5'])
    expect(await rows(`get vm:busy | ${all}`, series([null, 4, 9]))).toEqual(['a : 10=- 20=4 30=5'])
  })
  it('returns the total as the first point that a filter on times keeps', async () => {
    expect(await rows('get vm:busy | filter timestamp > @00:00:10 && cpu == 1')).toEqual(['a 1: 20=4'])
  })
  it('rejects overlapping intervals of counting', async () => {
    const overlapping: Stored[] = [
      { of: 'vm:busy', fields: {}, times: at(10, 20), starts: at(0, 5), values: [1, 2] },
    ]
    await expect(ask(`get vm:busy | ${all}`, null, overlapping)).rejects.toThrow(/overlap/)
  })
  it('subtracts distributions bin by bin', async () => {
    const [table] = await ask(`get vm:latency | ${all}`)
    const values = table?.timeseries[0]?.points.values[0]
    expect(values).toMatchObject({ metricType: 'delta', values: { type: 'integer_distribution' } })
    expect(values?.values.values).toMatchObject([
      { bins: [0, 10], counts: [1, 1], sumOfSamples: 20, squaredMean: 128 },
      // Of the samples 4 and 6.
      { bins: [0, 10], counts: [2, 0], sumOfSamples: 10, squaredMean: 2, p50: null },
    ])
  })
  it('returns one table without series if nothing matches', async () => {
    expect(await ask("get vm:temp | filter vm == 'none'")).toEqual([{ name: 'vm:temp', timeseries: [] }])
    expect(await ask('get vm:temp | filter timestamp > @00:05:00 && timestamp < @00:01:00')).toEqual([
      { name: 'vm:temp', timeseries: [] },
    ])
  })
  it('limits the points that all gets of a query read together', async () => {
    const times = Array.from({ length: 400_000 }, (_, i) => now - i).toReversed()
    const long: Stored[] = [{ of: 'vm:temp', fields: { vm: 'a' }, times, values: times }]
    const many = (count: number) =>
      ask(
        `{ ${Array(count).fill('get vm:temp').join(';')} } | filter vm == 'a' | filter datum > 0 | last 1`,
        null,
        long,
      )
    expect(await many(2)).toHaveLength(2)
    await expect(many(3)).rejects.toThrow('The query would read more than 1000000 points')
  })
  it('counts a distribution as several points', async () => {
    const values = Array.from({ length: 125_001 }, () => null)
    const times = values.map((_, i) => now - i).toReversed()
    const long: Stored[] = [
      { of: 'vm:latency', fields: { vm: 'a' }, times, starts: times.map(() => 0), values },
    ]
    const attempt = ask("get vm:latency | filter vm == 'a'", null, long)
    await expect(attempt).rejects.toThrow('The query would read more than 1000000 points')
  })
  it.each([
    ['get vm:none', 'Timeseries not found for: vm:none'],
    [`get vm:image | ${all}`, 'Queries cannot read vm:image: its values are bytes'],
    ['get vm:temp', /^The query would read all points of vm:temp/],
    ['get vm:temp | filter datum > 5', /^The query would read all points/],
    ["get vm:temp | filter datum > 5 || vm == 'a'", /^The query would read all points/],
    ['get vm:temp | align mean_within(1m) | last 5', /^The query would read all points/],
  ])('%s fails', async (query, error) => {
    expect(await errorOf(query)).toMatch(error)
  })
})

describe('the request to the storage', () => {
  const [from = 0, until = 0] = at(20, 40)
  const between = 'timestamp >= @00:00:20 && timestamp <= @00:00:40'
  const ahead = 120_000
  it.each<[string, Partial<SeriesRequest>]>([
    [`filter ${between} | last 3`, { from, until, limit: { side: 'last', count: 3 } }],
    [
      `filter timestamp > @00:00:20 | first 3`,
      { from: from + 2 ** -12, until: null, limit: { side: 'first', count: 3 } },
    ],
    [`last 3 | filter ${between}`, { from: null, until: null, limit: { side: 'last', count: 3 } }],
    [
      `filter !(timestamp < @00:00:20 || timestamp > @00:00:40) && datum > 5 | last 3`,
      { from, until, limit: null },
    ],
    [`filter vm == 'a' || ${between} | last 3`, { from: null, until: null, equal: new Map() }],
    [
      `align mean_within(10s) | filter ${between} && vm == 'a'`,
      { from: from - ahead - 10_000, until: until + ahead + 10_000, equal: new Map([['vm', 'a']]) },
    ],
    [
      `align mean_within(10s) | last 3 | filter ${between} && vm == 'a'`,
      { from: null, until: null, limit: null, equal: new Map([['vm', 'a']]) },
    ],
    [
      `filter vm == 'a' | filter project_id == "${project}"`,
      {
        equal: new Map([
          ['vm', 'a'],
          ['project_id', project],
        ]),
      },
    ],
  ])('%s', async (ops, asked) => {
    const reader = memoryReader(schemas, stored)
    await answerQuery(`get vm:temp | ${ops}`, null, { reader, now, checkpoint: () => Promise.resolve() })
    expect(reader.requests).toHaveLength(1)
    expect(reader.requests[0]).toMatchObject(asked)
  })
  it('reads more than the last points of a counter, to compute the delta of the first', async () => {
    const reader = memoryReader(schemas, stored)
    await answerQuery('get vm:busy | last 1', null, { reader, now, checkpoint: () => Promise.resolve() })
    expect(reader.requests[0]?.limit).toEqual({ side: 'last', count: 9 })
  })
})

describe('filter', () => {
  it.each([
    ["vm == 'a'", ['a 0: 5=7 10=8']],
    ["vm != 'a'", ['ab 1: 5=9']],
    ["vm ~= 'a'", ['a 0: 5=7 10=8', 'ab 1: 5=9']],
    ["vm ~= '^a$'", ['a 0: 5=7 10=8']],
    ["!(vm ~= 'b') && cpu < 5", ['a 0: 5=7 10=8']],
    ['cpu >= 1', ['ab 1: 5=9']],
    ['up == true', ['a 0: 5=7 10=8']],
    ['ip == "10.0.0.1"', ['a 0: 5=7 10=8']],
    ['ip > "10.0.0.1"', ['ab 1: 5=9']],
    [`project_id == "${project.replaceAll('-', '').toUpperCase()}" && cpu == 0`, ['a 0: 5=7 10=8']],
    ['timestamp > @00:00:05', ['a 0: 10=8']],
    ['timestamp >= @00:00:05 && timestamp < @2026-01-02T00:00:10.000', ['a 0: 5=7', 'ab 1: 5=9']],
    ['timestamp == @now() - 10m || timestamp == @now() - 595s', ['a 0: 5=7', 'ab 1: 5=9']],
    ['datum >= 8 && timestamp < @00:01:00', ['a 0: 10=8', 'ab 1: 5=9']],
    ['datum > 7.5 && datum < 8ns && cpu < 5', []],
    ['cpu == 0 ^ datum >= 8 ^ timestamp > @now()', ['a 0: 5=7', 'ab 1: 5=9']],
    ['cpu < 5 && (cpu == 0 ^ datum >= 8)', ['a 0: 5=7', 'ab 1: 5=9']],
    ['cpu < 5 && !(cpu == 0 ^ datum >= 8)', ['a 0: 10=8']],
  ])('%s', async (expr, series) => {
    // An exclusive or does not limit the times to read, so another filter does.
    expect(await rows(`get vm:count | filter cpu < 9 | filter ${expr}`)).toEqual(series)
  })
  it.each([
    ["vm:state | filter vm == 'a' | filter datum ~= 'n$'", ['a: 2=down']],
    ["vm:on | filter vm == 'a' | filter datum != false", ['a: 1=true']],
    ['vm:busy | filter cpu == 0 | filter start_time >= @00:00:35', ['a 0: 40=4 50=2']],
    ["vm:temp | filter vm == 'a' | filter datum != 3.0 | filter datum < 1e3", ['a: 10=1 40=5']],
    ["vm:temp | filter vm == 'a' | filter !(datum > 3)", ['a: 10=1 30=3']],
  ])('%s', async (query, series) => {
    expect(await rows(`get ${query}`)).toEqual(series)
  })
  it('reports all errors of a filter together', async () => {
    expect(
      await errorOf('get vm:temp | filter vm == "x" && (instance == 5 || project_id == "y" || foo > 1)'),
    ).toBe(
      [
        'The filter expression "vm == "x" && (instance == 5 || project_id == "y" || foo > 1)" is not valid, the following errors were encountered',
        '  > Filter expression for identifier "project_id" has type "String" which is not compatible with the expected type "uuid"',
        '  > The identifiers [instance, foo] are not valid for the table "vm:temp". Valid identifiers are: [project_id, silo_id, vm, timestamp, datum]',
      ].join('\n'),
    )
  })
  it.each([
    [
      'get vm:count | filter cpu == 1.0',
      '"cpu" has type "Double" which is not compatible with the expected type "u32"',
    ],
    [
      'get vm:count | filter timestamp > 5',
      '"timestamp" has type "Integer" which is not compatible with the expected type "timestamp"',
    ],
    [
      'get vm:state | filter datum > 5',
      '"datum" has type "Integer" which is not compatible with the expected type "string"',
    ],
    [
      'get vm:temp | filter start_time > @now()',
      'The identifiers [start_time] are not valid for the table "vm:temp"',
    ],
    ['get vm:latency | filter p99 > 5', 'Filtering on the special identifier "p99" is not yet supported'],
    ['get vm:latency | filter datum > 5', 'The identifiers [datum] are not valid'],
    [
      `get vm:temp | filter ${Array.from({ length: 33 }, (_, i) => `datum != ${i}`).join(' && ')}`,
      'A filter can have at most 32 comparisons of points',
    ],
    ["get vm:temp | filter vm ~= '('", 'The regular expression "(" is not valid'],
    ["get vm:temp | filter vm ~= 'a{1000}b{1000}c{1000}'", 'is too large'],
    [`get vm:temp | filter vm ~= '${'x'.repeat(257)}'`, 'is too large'],
  ])('%s fails', async (query, error) => {
    expect(await errorOf(query)).toContain(error)
  })
})

describe('align', () => {
  it('averages a gauge over each window, counting missing points', async () => {
    expect(
      await rows("get vm:temp | filter timestamp <= @00:00:40 && vm == 'a' | align mean_within(20s)"),
    ).toEqual(['a: 20=0.5 40=4'])
  })
  it('distributes a delta over the windows and divides by the number of points', async () => {
    // 15 counted from 10 to 20, then an unknown count, then 4 from 35 to 40 and 2 from 40 to 50.
    const query =
      'get vm:busy | filter timestamp >= @00:00:10 && timestamp <= @00:00:55 && cpu == 0 | align mean_within(15s)'
    expect(await rows(query)).toEqual(['a 0: 10=10 25=15 40=2 55=2'])
  })
  it('gives the mean, the least and the most of each window', async () => {
    expect(
      await rows("get vm:temp | filter timestamp <= @00:00:40 && vm == 'a' | align range_within(30s)"),
    ).toEqual(['a: 10=1/1/1 40=4/3/5'])
    // A delta that is not longer than a window belongs to the one that it ends in.
    const busy = 'get vm:busy | filter timestamp >= @00:00:10 && timestamp <= @00:00:50 && cpu == 0'
    expect(await rows(`${busy} | align range_within(20s)`)).toEqual(['a 0: 10=10/10/10 30=15/15/15 50=3/2/4'])
    expect(await rows(`${busy} | align range_within(5s)`)).toEqual([
      'a 0: 10=5/5/5 15=7.5/7.5/7.5 20=7.5/7.5/7.5 25=-/-/- 30=-/-/- 35=-/-/- 40=4/4/4 45=1/1/1 50=1/1/1',
    ])
  })
  it('gives the range of a sum', async () => {
    const both = 'get vm:busy | filter timestamp >= @00:00:10 && timestamp <= @00:00:20'
    expect(
      await rows(`${both} | align mean_within(10s) | group_by [vm], sum | align range_within(20s)`),
    ).toEqual(['a: 20=14.5/12/17'])
  })
  it('shows a short peak in a day', async () => {
    const times = Array.from({ length: 17_280 }, (_, i) => (i + 1) * 5 - 86_400)
    const values = times.map((_, i) => (i === 9000 ? 100 : 1))
    const day: Stored[] = [{ of: 'vm:temp', fields: { vm: 'a' }, times: at(...times), values }]
    const [series] = await rows('get vm:temp | filter timestamp <= @00:00:00 | align range_within(5m)', day)
    const points = series?.split(' ').slice(1) ?? []
    expect(points).toHaveLength(288)
    expect(points.filter((point) => !point.endsWith('=1/1/1'))).toEqual(['-41100=2.65/1/100'])
  })
  it('gives all series of a table the same times, without values before their first point', async () => {
    expect(await rows('get vm:temp | filter timestamp <= @00:00:40 | align mean_within(10s)')).toEqual([
      'a: 10=1 20=- 30=3 40=5',
      'b: 10=- 20=- 30=10 40=20',
    ])
  })
  it('ends the times with the latest bound of the query, or now', async () => {
    expect(
      await rows("get vm:temp | filter timestamp > @00:00:10 && vm == 'b' | align mean_within(5m)"),
    ).toEqual(['b: 300=15 600=-'])
    expect(
      await rows("get vm:temp | filter vm == 'b' | align mean_within(8s) | filter timestamp < @00:00:50"),
    ).toEqual(['b: 34=10 42=20'])
  })
  it.each([
    ['!(timestamp > @00:00:50)', 'b: 50=15'],
    ['!!(timestamp <= @00:00:50)', 'b: 50=15'],
    ['!(timestamp <= @00:00:10)', 'b: 300=15 600=-'],
    // An upper bound for some series and a lower bound for others, in any order of the operands.
    ["(timestamp < @00:00:50 ^ vm == 'a')", 'b: 300=15 600=-'],
    ["!(timestamp < @00:00:50 ^ vm == 'b')", 'b: 300=15 600=-'],
    ["!(vm == 'b' ^ timestamp < @00:00:50)", 'b: 300=15 600=-'],
    ['(timestamp >= @00:00:20 ^ timestamp > @00:00:50)', 'b: 50=15'],
    ['!(timestamp < @00:00:20 ^ timestamp > @00:00:50)', 'b: 50=15'],
  ])('ends the times by the filter %s', async (expr, series) => {
    expect(await rows(`get vm:temp | filter vm == 'b' && ${expr} | align mean_within(5m)`)).toEqual([series])
  })
  it('accepts a gap, but not points that are all too far apart', async () => {
    const gap: Stored[] = [{ of: 'vm:temp', fields: { vm: 'a' }, times: at(1, 2, 599), values: [1, 2, 3] }]
    const [series] = await rows(`get vm:temp | filter vm == 'a' | align mean_within(1s)`, gap)
    expect(series?.split(' ').filter((point) => !point.endsWith('=-'))).toEqual(['a:', '1=1', '2=2', '599=3'])
    expect(await errorOf("get vm:temp | filter vm == 'a' | align mean_within(99ms)")).toBe(
      'A table alignment operation may not upsample data by more than a factor of 100',
    )
  })
  it('limits the points that all alignments of a query produce together', async () => {
    const fine = 'filter timestamp < @2026-01-02T00:00:45 | align mean_within(1ms)'
    const close: Stored[] = [
      { of: 'vm:temp', fields: { vm: 'a' }, times: at(10, 10.1, 40), values: [1, 2, 3] },
    ]
    const many = (count: number) =>
      ask(`{ ${Array(count).fill('get vm:temp').join(';')} } | ${fine} | last 1`, null, close)
    expect(await many(28)).toHaveLength(28)
    await expect(many(29)).rejects.toThrow('The alignments of the query would make too many points')
  })
  it.each([
    [
      "get vm:temp | filter vm == 'a' | align interpolate(1m)",
      'Alignment via interpolation is not yet implemented',
    ],
    [
      "get vm:state | filter vm == 'a' | align mean_within(1m)",
      'Alignment by mean requires numeric data type, not string',
    ],
    [
      "get vm:latency | filter vm == 'a' | align mean_within(1m)",
      'Alignment by mean requires numeric data type, not integer_distribution',
    ],
  ])('%s fails', async (query, error) => expect(await errorOf(query)).toBe(error))
})

describe('group_by', () => {
  const aligned = 'get vm:temp | filter timestamp <= @00:00:40 | align mean_within(10s)'
  it.each([
    ['group_by [vm]', ['a: 10=1 20=- 30=3 40=5', 'b: 10=- 20=- 30=10 40=20']],
    ['group_by []', [': 10=1 20=- 30=6.5 40=12.5']],
    ['group_by [], sum', [': 10=1 20=- 30=13 40=25']],
    ['filter datum > 3 | group_by [], sum', [': 30=10 40=25']],
    ['group_by [vm, project_id] | group_by [], sum | last 1', [': 40=25']],
  ])('%s', async (ops, series) => {
    expect(await rows(`${aligned} | ${ops}`)).toEqual(series)
  })
  it('keeps only the named fields', async () => {
    const [table] = await ask(`${aligned} | group_by [vm]`)
    expect(table?.timeseries.map(({ fields }) => fields)).toEqual([
      { vm: { type: 'string', value: 'a' } },
      { vm: { type: 'string', value: 'b' } },
    ])
  })
  it('returns one table without series if nothing matches', async () => {
    expect(
      await ask("get vm:temp | filter vm == 'none' | align mean_within(1m) | group_by [vm], sum"),
    ).toEqual([{ name: 'vm:temp', timeseries: [] }])
  })
  it.each([
    [`get vm:temp | ${all} | group_by [vm]`, 'Input tables to a `group_by` must be aligned'],
    ["get vm:temp | filter vm == 'none' | group_by [vm]", 'Input tables to a `group_by` must be aligned'],
    [
      `${aligned} | group_by [cpu]`,
      "Cannot group by field 'cpu', which does not appear in the input tables. Valid fields are: [project_id, silo_id, vm]",
    ],
    [
      `{ ${aligned}; ${aligned} } | group_by [vm]`,
      'A `group_by` requires exactly one input table, not 2: join them first',
    ],
    [
      `{ ${aligned}; ${aligned} } | join | group_by [vm]`,
      'Input tables to a `group_by` must be one-dimensional',
    ],
  ])('%s fails', async (query, error) => expect(await errorOf(query)).toBe(error))
})

describe('groups and join', () => {
  it('returns a table for each query of a group', async () => {
    const tables = await ask(
      `{ get vm:temp; { get vm:fan; get vm:count | last 1 } | filter vm == 'a' } | ${all}`,
    )
    expect(tables.map(({ name, timeseries }) => [name, timeseries.length])).toEqual([
      ['vm:temp', 2],
      ['vm:fan', 1],
      ['vm:count', 1],
    ])
  })
  it('joins series and times that both tables have as dimensions, and drops others', async () => {
    const query =
      '{ get vm:temp; get vm:fan } | filter timestamp <= @00:00:40 | align mean_within(20s) | join'
    const [table, ...more] = await ask(query)
    expect(more).toEqual([])
    expect(table?.name).toBe('vm:temp,vm:fan')
    expect(table?.timeseries[0]?.points.values).toMatchObject([
      { metricType: 'gauge' },
      { metricType: 'gauge' },
    ])
    expect(await rows(query)).toEqual(['a: 20=0.5/100 40=4/200'])
  })
  it.each([
    [`get vm:temp | ${all} | align mean_within(1m) | join`, 'A `join` requires at least two input tables'],
    [`{ get vm:temp; get vm:fan } | ${all} | join`, 'Input tables to a `join` must be aligned'],
    [
      `{ get vm:temp | align mean_within(1m); get vm:fan | align mean_within(2m) } | ${all} | join`,
      'Input tables to a `join` must be aligned to the same period',
    ],
    [`{ get vm:temp; get vm:count } | ${all} | align mean_within(1m) | join`, /must have the same fields/],
    [
      `{ get vm:fan; get vm:temp } | ${all} | align mean_within(1m) | join`,
      'Cannot join: vm:temp has a series that vm:fan does not have',
    ],
    [
      `{ get vm:fan; get vm:temp } | ${all} | align mean_within(1m) | join | align mean_within(1m)`,
      /requires one-dimensional data/,
    ],
    [`get vm:temp | ${all} | align range_within(1m) | group_by [vm], sum`, /must be one-dimensional/],
    [`get vm:temp | ${all} | align range_within(1m) | align mean_within(1m)`, /vm:temp has 3 dimensions/],
    [
      `{ get vm:fan; get vm:fan } | ${all} | align mean_within(1m) | join | filter datum > 5`,
      /The identifiers \[datum\] are not valid/,
    ],
  ])('%s fails', async (query, error) => {
    expect(await errorOf(query)).toMatch(error)
  })
})

describe('first and last', () => {
  it.each([
    ["get vm:temp | filter vm == 'a' | first 2", ['a: 10=1 20=-']],
    ["get vm:temp | filter vm == 'a' | last 2 | first 1", ['a: 30=3']],
    ['get vm:temp | last 1', ['a: 40=5', 'b: 40=20']],
    ['get vm:busy | last 1', ['a 0: 50=2', 'a 1: 20=2']],
    ['get vm:busy | first 1', ['a 0: 10=10', 'a 1: 10=2']],
    ['get vm:temp | last 2 | filter timestamp < @00:00:40', ['a: 30=3', 'b: 30=10']],
    ['get vm:temp | filter timestamp < @00:00:40 | last 1', ['a: 30=3', 'b: 30=10']],
  ])('%s', async (query, series) => expect(await rows(query)).toEqual(series))
})

describe('scope', () => {
  const scope = { siloId: other, projectId: project }
  const names = async (query: string) =>
    (await ask(query, scope)).flatMap(({ timeseries }) => timeseries.map(({ fields }) => fields['vm']?.value))
  it.each([
    'get vm:temp',
    "get vm:temp | filter vm == 'b' || vm != 'b'",
    `get vm:temp | filter project_id == "${other}" || vm == 'a'`,
    'get vm:temp | last 1',
    '{ get vm:temp; { get vm:temp | last 3 } } | first 1',
  ])('%s reads only the project', async (query) => {
    expect(new Set(await names(query))).toEqual(new Set(['a']))
  })
  it('a filter on another project matches nothing', async () => {
    expect(await names(`get vm:temp | filter project_id == "${other}"`)).toEqual([])
  })
  it('a timeseries without a project cannot be read', async () => {
    expect(await errorOf('get vm:state', scope)).toContain(
      'The identifiers [silo_id, project_id] are not valid for the table "vm:state"',
    )
  })
})
