import { describe, expect, it } from 'vitest'
import { type MetricQuery, oneLine, rangeStagesOf, stagesOf, windowOf } from './oxql.ts'
import { ApiError } from '#/api/send.ts'
import { queryEngine, schemaOf, type Stored } from '#/preview/testing.ts'
import { type Answer, hasRange } from './points.ts'
import { queryRange, type RunQuery, querySlices, TooManySamples } from './chartQuery.ts'
import { halvesOf, maxSlices, type QueryOutline, slicesOf, readRangeOf } from './slices.ts'

const second = 1000
const day = 24 * 3600 * second
const start = Date.parse('2026-01-05T10:00:00Z')

/** Pseudo-random numbers from a seed. */
function dice(seed: number) {
  let state = seed
  /** from 0 to below 1 */
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { next, upTo: (most: number) => Math.floor(next() * (most + 1)) }
}
type Dice = ReturnType<typeof dice>

const every = 5
const schemas = [schemaOf('vm:busy', 'cumulative_u64', { cpu: 'u32', sled: 'u32', state: 'string' })]
const cpu: MetricQuery = { metric: 'vm:busy', filters: { state: 'run' }, groupBy: 'cpu', every }
/** A counter on one sled: samples are late, some are missing, and it may be reset. */
function counter({ next, upTo }: Dice, [from, until]: [number, number], labels: Stored['fields']): Stored {
  const samples: { at: number; birth: number; total: number | null }[] = []
  let [at, birth, total] = [from, from - upTo(60_000), upTo(9e9)]
  while ((at += every * second + upTo(900) - 450) < until) {
    if (next() < 0.01) [at, birth, total] = [at + 40 * second, at + 30 * second, 0]
    total += upTo(5e9)
    samples.push({ at, birth, total: next() < 0.05 ? null : total })
  }
  return {
    of: 'vm:busy',
    fields: { state: 'run', ...labels },
    times: samples.map((one) => one.at),
    starts: samples.map((one) => one.birth),
    values: samples.map((one) => one.total),
  }
}

/** vCPUs that move to another sled at some time. The machine may be created after the start of the range. */
function machine(d: Dice, end: number): Stored[] {
  const from = start - 600 * second + d.upTo(3) * 700 * second
  const moved = from + d.next() * (end - from)
  return [0, 1, 2].flatMap((n) => [
    counter(d, [from, moved], { cpu: n, sled: 1 }),
    counter(d, [moved + 20 * second, end + 60 * second], { cpu: n, sled: 2 }),
  ])
}

const rejectAsApi = (error: Error) => {
  throw new ApiError('timeseriesQuery', 400, error)
}

/** Runs queries and counts them. A query may read at most `most` samples. */
function engine(
  stored: readonly Stored[],
  query: MetricQuery,
  { range, most }: { range: QueryOutline['range']; most?: number },
) {
  const answer = queryEngine(schemas, stored, most)
  const counts = { queries: 0, running: 0, peak: 0 }
  const run: RunQuery = async (part) => {
    counts.queries += 1
    counts.peak = Math.max(counts.peak, ++counts.running)
    await Promise.resolve()
    counts.running -= 1
    const answered = answer(oneLine(stagesOf(query, range, part)), range.end)
    return { tables: await answered.catch(rejectAsApi) }
  }
  const runRange = async () => {
    const answered = answer(oneLine(rangeStagesOf(query, range)), range.end)
    return { tables: await answered.catch(rejectAsApi) }
  }
  return { counts, run, runRange }
}

const signal = new AbortController().signal
/** Series ordered by their fields, with rounded numbers: the order of a sum changes the last digits. */
const comparable = ({ tables }: Answer) =>
  tables.map(({ name, timeseries }) => ({
    name,
    timeseries: timeseries
      .map(({ fields, points: { timestamps, values } }) => {
        const [line] = values
        const numbers = line?.values.type === 'double' ? line.values.values : []
        return {
          key: JSON.stringify(fields),
          timestamps,
          numbers: numbers.map((value) => (value === null ? null : Number(value.toPrecision(10)))),
        }
      })
      .toSorted((a, b) => (a.key < b.key ? -1 : 1)),
  }))

/** A query in which this number of windows is the longest slice. */
const inSlicesOf = (windows: number, range: QueryOutline['range']): QueryOutline => {
  const window = windowOf(range, every)
  return { range, window, every, series: Math.floor((800_000 * every) / (window * (windows + 2))) }
}

describe('a query in slices', () => {
  it.each([...Array(40).keys()])('has the same answer as the whole query: %i', async (seed) => {
    const d = dice(seed)
    const length = 3600 + d.upTo(7200)
    const range = { start, end: start + length * second }
    const stored = machine(d, range.end)
    const query = { ...cpu, groupBy: d.next() < 0.7 ? 'cpu' : undefined }
    const { run, counts } = engine(stored, query, { range })
    const outline = inSlicesOf(3 + d.upTo(30), range)
    const whole = await run(undefined, signal)
    counts.queries = 0
    const answer = await querySlices(outline, { asOf: range.end, run, signal })
    expect(counts.queries).toBe(slicesOf(outline, range.end).length)
    expect(counts.queries).toBeGreaterThan(1)
    expect(counts.peak).toBeLessThanOrEqual(2)
    expect(comparable(answer)).toEqual(comparable(whole))
  })

  it('halves slices that are rejected', async () => {
    const range = { start, end: start + 7200 * second }
    const stored = machine(dice(1), range.end)
    const whole = await engine(stored, cpu, { range }).run(undefined, signal)
    const outline = { ...inSlicesOf(100, range), series: 1 }
    const { run, counts } = engine(stored, cpu, { range, most: 1200 })
    const answer = await querySlices(outline, { asOf: range.end, run, signal })
    expect(counts.queries).toBeGreaterThan(5)
    expect(comparable(answer)).toEqual(comparable(whole))
    await expect(
      querySlices(outline, { asOf: range.end, signal, run: engine(stored, cpu, { range, most: 10 }).run }),
    ).rejects.toBeInstanceOf(TooManySamples)
  })

  it('without samples has no series', async () => {
    const range = { start, end: start + 7200 * second }
    const { run } = engine([], cpu, { range })
    const answer = await querySlices(inSlicesOf(20, range), { asOf: range.end, run, signal })
    expect(answer).toEqual({ tables: [{ name: 'vm:busy', timeseries: [] }] })
  })

  it('ends with the first failure and sends no further queries', async () => {
    const range = { start, end: start + 7200 * second }
    let count = 0
    const run: RunQuery = () => Promise.reject(new Error(`lost ${++count}`))
    const outline = inSlicesOf(5, range)
    await expect(querySlices(outline, { asOf: range.end, run, signal })).rejects.toThrow('lost 1')
    expect(count).toBeLessThan(slicesOf(outline, range.end).length / 2)
  })
})

describe('a query for ranges', () => {
  const range = { start, end: start + 7200 * second }
  const stored = machine(dice(1), range.end)
  const outline = { range, window: windowOf(range, every), every, series: 3 }
  const asOf = range.end
  const calls = (most?: number) => engine(stored, cpu, { range, ...(most ? { most } : {}) })

  it('is one call', async () => {
    const { run, runRange, counts } = calls()
    expect(hasRange(await queryRange(outline, { asOf, run, runRange, signal }))).toBe(true)
    expect(counts.queries).toBe(0)
  })
  it('is one for means where it needs several calls, or reads too much', async () => {
    const { run, runRange } = calls()
    const large = { ...inSlicesOf(20, range) }
    expect(hasRange(await queryRange(large, { asOf, run, runRange, signal }))).toBe(false)
    const limited = calls(1200)
    expect(hasRange(await queryRange(outline, { asOf, ...limited, signal }))).toBe(false)
    expect(hasRange(await queryRange(outline, { asOf, run, runRange, signal }))).toBe(true)
  })
  it('fails as the call does, unless the call itself was wrong', async () => {
    const runRange = () => Promise.reject(new ApiError('timeseriesQuery', 503, { message: 'away' }))
    await expect(queryRange(outline, { asOf, run: calls().run, runRange, signal })).rejects.toMatchObject({
      status: 503,
    })
  })
  it('is not tried again where the server does not know them', async () => {
    let tries = 0
    const runRange = () => {
      tries++
      return Promise.reject(new ApiError('timeseriesQuery', 400, { message: 'expected mean_within' }))
    }
    for (let i = 0; i < 3; i++)
      expect(hasRange(await queryRange(outline, { asOf, run: calls().run, runRange, signal }))).toBe(false)
    expect(tries).toBe(1)
  })
})

describe('slices', () => {
  const outline = (days: number, series: number, of = 5): QueryOutline => {
    const range = { start: start - days * day, end: start }
    return { range, window: windowOf(range, of), every: of, series }
  }
  const lengths = [1 / 24, 1 / 8, 1, 3, 7, 10, 30, 90, 365, 3000]
  const samples = ({ start: from, end }: QueryOutline['range'], { every: of, series }: QueryOutline) =>
    ((end - Math.max(from, start - 31 * day)) / second / of) * series

  it('are consecutive, end with the range and are multiples of windows', () => {
    for (const days of lengths)
      for (let series = 1; series <= 64; series++) {
        const one = outline(days, series)
        const slices = slicesOf(one, start)
        const width = one.window * second
        for (const [i, { after, until }] of slices.entries()) {
          expect((one.range.end - after) % width).toBe(0)
          expect(until).toBe(slices[i + 1]?.after ?? one.range.end)
          expect(until).toBeGreaterThan(after)
        }
        expect(slices.length).toBeLessThanOrEqual(maxSlices)
        if (slices.length > 1)
          for (const slice of slices) expect(samples(readRangeOf(slice, one), one)).toBeLessThan(900_000)
      }
  })
  it('are as few as possible', () => {
    const count = (days: number, series: number, of?: number) =>
      slicesOf(outline(days, series, of), start).length
    expect([1, 5, 9, 16, 64].map((vcpus) => count(7, vcpus))).toEqual([1, 1, 2, 3, 13])
    expect([1, 2, 8].map((disks) => count(30, disks, 10))).toEqual([1, 1, 3])
    expect(count(1, 57)).toBe(2)
  })
  it('leave out what is older than the retention period', () => {
    expect(slicesOf(outline(3000, 1), start)).toHaveLength(1)
    const [first] = slicesOf(outline(365, 3), start)
    expect(first?.after).toBeGreaterThan(start - 40 * day)
  })
  it('leave out the future', () => {
    const planned = (days: number, series: number): QueryOutline => {
      const range = { start: start - 20 * day, end: start + days * day }
      return { range, window: windowOf(range, 5), every: 5, series }
    }
    expect(slicesOf(planned(1000, 1), start)).toHaveLength(1)
    const one = planned(10, 4)
    const slices = slicesOf(one, start)
    expect(slices).toHaveLength(2)
    expect(slices.at(-1)?.until).toBe(one.range.end)
    expect(slicesOf({ ...one, range: { start: start + day, end: start + 99 * day } }, start)).toHaveLength(1)
  })
  it('are none if there would be too many', () => {
    expect(slicesOf(outline(30, 64), start)).toEqual([])
    expect(slicesOf(outline(3000, 64), start)).toEqual([])
  })
  it('are halved between windows, unless they are a single window', () => {
    const queryWindow = { range: { start, end: start }, window: 60 }
    const of = (windows: number) => ({ after: start, until: start + windows * 60_000 })
    expect(halvesOf(of(1), queryWindow)).toBeNull()
    expect(halvesOf(of(5), queryWindow)?.map(({ after, until }) => (until - after) / 60_000)).toEqual([3, 2])
  })
})
