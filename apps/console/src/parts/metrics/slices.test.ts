import { describe, expect, it } from 'vitest'
import { type MetricQuery, oneLine, stagesOf, windowOf } from './oxql.ts'
import type { Answer } from './points.ts'
import { type Ask, readSlices, TooMuch } from './read.ts'
import { halvesOf, mostSlices, type Outline, slicesOf, stretchOf } from './slices.ts'
import { answerTo, type Counter } from './testPlane.ts'

const second = 1000
const day = 24 * 3600 * second
const start = Date.parse('2026-01-05T10:00:00Z')

/** Numbers that look random and are the same in every run. */
function dice(seed: number) {
  let state = seed
  /** from 0 to before 1 */
  const next = () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state / 2 ** 32
  }
  return { next, upTo: (most: number) => Math.floor(next() * (most + 1)) }
}
type Dice = ReturnType<typeof dice>

const every = 5
const cpu: MetricQuery = { metric: 'vm:busy', filters: { state: 'run' }, groupBy: 'cpu', every }
/** A counter on one sled: samples come late, some are missing, and it may begin anew. */
function counter({ next, upTo }: Dice, [from, until]: [number, number], labels: Counter['labels']): Counter {
  const samples: { at: number; birth: number; total: number | null }[] = []
  let [at, birth, total] = [from, from - upTo(60_000), upTo(9e9)]
  while ((at += every * second + upTo(900) - 450) < until) {
    if (next() < 0.01) [at, birth, total] = [at + 40 * second, at + 30 * second, 0]
    total += upTo(5e9)
    samples.push({ at, birth, total: next() < 0.05 ? null : total })
  }
  return { labels, samples }
}

/** vCPUs on a sled and, from some moment on, on another; the machine may have been made later than the range begins. */
function machine(d: Dice, end: number): Counter[] {
  const from = start - 600 * second + d.upTo(3) * 700 * second
  const moved = from + d.next() * (end - from)
  return [0, 1, 2].flatMap((n) => [
    counter(d, [from, moved], { cpu: n, sled: 1 }),
    counter(d, [moved + 20 * second, end + 60 * second], { cpu: n, sled: 2 }),
  ])
}

/** Answers queries, or refuses those that read more than so many samples. */
function plane(counters: readonly Counter[], query: MetricQuery, range: Outline['range'], most?: number) {
  const told = { queries: 0, underWay: 0, together: 0 }
  const ask: Ask = async (part) => {
    told.queries += 1
    told.together = Math.max(told.together, ++told.underWay)
    await Promise.resolve()
    told.underWay -= 1
    return answerTo(oneLine(stagesOf(query, range, part)), counters, most)
  }
  return { told, ask }
}

const signal = new AbortController().signal
/** Series by their fields, numbers without what differs by the order of a sum. */
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

/** As if a slice of so many windows were the longest that can be read. */
const inSlicesOf = (windows: number, range: Outline['range']): Outline => {
  const window = windowOf(range, every)
  return { range, window, every, series: Math.floor((800_000 * every) / (window * (windows + 2))) }
}

describe('a query in slices', () => {
  it.each([...Array(40).keys()])('is answered like the whole of it: %i', async (seed) => {
    const d = dice(seed)
    const length = 3600 + d.upTo(7200)
    const range = { start, end: start + length * second }
    const stored = machine(d, range.end)
    const query = { ...cpu, groupBy: d.next() < 0.7 ? 'cpu' : undefined }
    const { ask, told } = plane(stored, query, range)
    const outline = inSlicesOf(3 + d.upTo(30), range)
    const whole = await ask(undefined, signal)
    told.queries = 0
    const answer = await readSlices(outline, { asOf: range.end, ask, signal })
    expect(told.queries).toBe(slicesOf(outline, range.end).length)
    expect(told.queries).toBeGreaterThan(1)
    expect(told.together).toBeLessThanOrEqual(2)
    expect(comparable(answer)).toEqual(comparable(whole))
  })

  it('is halved where it is refused, as it is where there once was more', async () => {
    const range = { start, end: start + 7200 * second }
    const stored = machine(dice(1), range.end)
    const whole = await plane(stored, cpu, range).ask(undefined, signal)
    const outline = { ...inSlicesOf(100, range), series: 1 }
    const { ask, told } = plane(stored, cpu, range, 1200)
    const answer = await readSlices(outline, { asOf: range.end, ask, signal })
    expect(told.queries).toBeGreaterThan(5)
    expect(comparable(answer)).toEqual(comparable(whole))
    await expect(
      readSlices(outline, { asOf: range.end, signal, ask: plane(stored, cpu, range, 10).ask }),
    ).rejects.toBeInstanceOf(TooMuch)
  })

  it('of no samples is no series', async () => {
    const range = { start, end: start + 7200 * second }
    const { ask } = plane([], cpu, range)
    const answer = await readSlices(inSlicesOf(20, range), { asOf: range.end, ask, signal })
    expect(answer).toEqual({ tables: [{ name: 'vm:busy', timeseries: [] }] })
  })

  it('ends with the first failure, and asks no more', async () => {
    const range = { start, end: start + 7200 * second }
    let asked = 0
    const ask: Ask = () => Promise.reject(new Error(`lost ${++asked}`))
    const outline = inSlicesOf(5, range)
    await expect(readSlices(outline, { asOf: range.end, ask, signal })).rejects.toThrow('lost 1')
    expect(asked).toBeLessThan(slicesOf(outline, range.end).length / 2)
  })
})

describe('slices', () => {
  const outline = (days: number, series: number, of = 5): Outline => {
    const range = { start: start - days * day, end: start }
    return { range, window: windowOf(range, of), every: of, series }
  }
  const lengths = [1 / 24, 1 / 8, 1, 3, 7, 10, 30, 90, 365, 3000]
  const samples = ({ start: from, end }: Outline['range'], { every: of, series }: Outline) =>
    ((end - Math.max(from, start - 31 * day)) / second / of) * series

  it('lie on the borders of windows, one behind the other up to the end', () => {
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
        expect(slices.length).toBeLessThanOrEqual(mostSlices)
        if (slices.length > 1)
          for (const slice of slices) expect(samples(stretchOf(slice, one), one)).toBeLessThan(900_000)
      }
  })
  it('are as few as the samples allow', () => {
    const count = (days: number, series: number, of?: number) =>
      slicesOf(outline(days, series, of), start).length
    expect([1, 5, 9, 16, 64].map((vcpus) => count(7, vcpus))).toEqual([1, 1, 2, 3, 13])
    expect([1, 2, 8].map((disks) => count(30, disks, 10))).toEqual([1, 1, 3])
    expect(count(1, 57)).toBe(2)
  })
  it('pass by what is so old that no samples are left of it', () => {
    expect(slicesOf(outline(3000, 1), start)).toHaveLength(1)
    const [first] = slicesOf(outline(365, 3), start)
    expect(first?.after).toBeGreaterThan(start - 40 * day)
  })
  it('pass by what is still to come', () => {
    const planned = (days: number, series: number): Outline => {
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
  it('are none where there would be too many', () => {
    expect(slicesOf(outline(30, 64), start)).toEqual([])
    expect(slicesOf(outline(3000, 64), start)).toEqual([])
  })
  it('are halved on a border, unless they are of one window', () => {
    const asked = { range: { start, end: start }, window: 60 }
    const of = (windows: number) => ({ after: start, until: start + windows * 60_000 })
    expect(halvesOf(of(1), asked)).toBeNull()
    expect(halvesOf(of(5), asked)?.map(({ after, until }) => (until - after) / 60_000)).toEqual([3, 2])
  })
})
