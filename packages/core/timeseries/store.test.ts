import fc from '#/testing/properties.ts'
import { randomBytes } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '#/db/engine.ts'
import { migrate } from '#/db/migrate.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { TooManyPoints, type SeriesRequest, type StoredSeries } from './model.ts'
import { schemas } from './schemas.ts'
import { createTimeseriesReader } from './store-read.ts'
import { addSamples, type Measured } from './store-write.ts'
import { hourMs, retentionMs, slotMs } from './store.ts'
import { dropOld, mergeHours } from './maintenance.ts'

const second = 1000
const noon = Date.UTC(2026, 0, 1, 12)
const ids = { uuid: () => '', bytes: (n: number) => new Uint8Array(randomBytes(n)) }
const always = () => Promise.resolve(true)

let engine: Engine
let now: number
beforeEach(async () => {
  engine = await openTestEngine()
  await migrate(engine, 0)
  now = noon + hourMs
})
afterEach(() => engine.close())

const clock = { now: () => now, after: () => () => undefined }
const add = (...measured: Measured[]) =>
  engine.transaction('write', (tx) => addSamples({ ids }, tx, measured))

/** `count` samples of the resets of an instance, one every ten seconds from `from` on. */
function resets(
  from: number,
  count: number,
  more: Partial<Measured> & { of?: string; value?: (i: number) => number } = {},
): Measured {
  const { of = 'web', value = (i) => i, ...rest } = more
  const times = Array.from({ length: count }, (_, i) => from + i * 10 * second)
  const fields = {
    instance_id: of,
    project_id: 'demo',
    silo_id: 'acme',
    sled_id: 's1',
    sled_model: 'm',
    sled_revision: 2,
    sled_serial: 'n',
  }
  const series = [{ metric: 'reset', labels: {}, values: times.map((_, i) => value(i)) }]
  return { target: 'virtual_machine', fields, start: noon - second, times, series, ...rest }
}

const request = (more: Partial<SeriesRequest> = {}, name = 'virtual_machine:reset'): SeriesRequest => {
  const schema = schemas.get(name)
  if (!schema) throw new Error(name)
  return { schema, equal: new Map(), test: () => true, from: null, until: null, limit: null, ...more }
}
const read = (more: Partial<SeriesRequest> = {}, name?: string, most = 1_000_000) =>
  createTimeseriesReader({ engine, clock }).read(request(more, name), most)
const numbers = (series: StoredSeries | undefined): number[] => {
  if (series?.points.values.kind !== 'numbers') throw new Error('no numbers')
  return [...series.points.values.of]
}
const times = (series: StoredSeries | undefined) => [...(series?.points.timestamps ?? [])]
const chunks = () =>
  engine.transaction('read', (tx) =>
    tx.selectFrom('timeseriesChunk').select(['slot', 'span']).orderBy('slot').execute(),
  )

describe('timeseries store', () => {
  it('returns points, start times and fields that were added in several batches', async () => {
    const all = resets(noon, 100, { value: (i) => 7 * i })
    const cut = (low: number, high: number): Measured => ({
      ...all,
      times: all.times.slice(low, high),
      series: all.series.map((one) => ({ ...one, values: (one.values as number[]).slice(low, high) })),
    })
    await add(cut(0, 3))
    for (let at = 3; at < 100; at += 4) await add(cut(at, at + 4))
    const [series, ...others] = await read()
    expect(others).toEqual([])
    expect(times(series)).toEqual(all.times)
    expect(numbers(series)).toEqual(all.series[0]?.values)
    expect(new Set(series?.points.startTimes)).toEqual(new Set([noon - second]))
    expect(series?.fields).toMatchObject({
      instance_id: { type: 'uuid', value: 'web' },
      sled_revision: { type: 'u32', value: 2 },
    })
    expect((await chunks()).length).toBe(4)
  })

  it('adds two runs of one series at the same time', async () => {
    await add(resets(noon, 3), resets(noon + 40 * second, 3, { start: noon + 35 * second }))
    const [series] = await read()
    expect(times(series).map((time) => (time - noon) / second)).toEqual([0, 10, 20, 40, 50, 60])
    expect(new Set(series?.points.startTimes).size).toBe(2)
  })

  it('includes both ends of a range', async () => {
    await add(resets(noon, 100))
    const [series] = await read({ from: noon + 20 * second, until: noon + 600 * second })
    expect(numbers(series)).toEqual(Array.from({ length: 59 }, (_, i) => i + 2))
    expect(await read({ from: noon + hourMs })).toEqual([])
    expect(await read({ until: noon - 1 })).toEqual([])
  })

  it.each(['first', 'last'] as const)('returns only the %s points of each series', async (side) => {
    await add(resets(noon, 200), resets(noon + 300 * second, 5, { of: 'db' }))
    const counted = async (count: number, more: Partial<SeriesRequest> = {}) =>
      (await read({ limit: { side, count }, ...more })).map(numbers)
    const web = Array.from({ length: 200 }, (_, i) => i)
    const cut = (list: number[], count: number) =>
      side === 'first' ? list.slice(0, count) : list.slice(-count)
    for (const count of [1, 4, 70, 199, 500])
      expect(await counted(count)).toEqual([cut([0, 1, 2, 3, 4], count), cut(web, count)])
    const range = { from: noon + 100 * second, until: noon + 1000 * second }
    expect(await counted(3, range)).toEqual([cut([0, 1, 2, 3, 4], 3), cut(web.slice(10, 101), 3)])
  })

  it('finds series by the fields of their target and the test', async () => {
    const labels = ['run', 'idle'].map((state) => ({ state, vcpu_id: 0 }))
    const usage = (of: string) =>
      resets(noon, 2, {
        of,
        series: labels.map((one) => ({ metric: 'vcpu_usage', labels: one, values: [1, 2] })),
      })
    await add(usage('web'), usage('db'))
    const name = 'virtual_machine:vcpu_usage'
    expect(await read({}, name)).toHaveLength(4)
    expect(await read({ equal: new Map([['instance_id', 'web']]) }, name)).toHaveLength(2)
    expect(await read({ equal: new Map([['instance_id', 'noRole']]) }, name)).toEqual([])
    expect(await read({ equal: new Map([['sled_revision', 2]]) }, name)).toHaveLength(4)
    const idle = await read({ test: (fields) => fields['state']?.value === 'idle' }, name)
    expect(idle.map((one) => one.fields['instance_id']?.value)).toEqual(['db', 'web'])
    expect(new Set(idle.map((one) => one.key)).size).toBe(2)
    expect(await read()).toEqual([])
  })

  it('throws if a read returns too many points', async () => {
    await add(resets(noon, 50), resets(noon, 50, { of: 'db' }))
    expect(await read({}, undefined, 100)).toHaveLength(2)
    await expect(read({}, undefined, 99)).rejects.toBeInstanceOf(TooManyPoints)
  })

  it('returns points once that were added twice', async () => {
    for (let i = 0; i < 2; i++) await add(resets(noon, 100))
    await mergeHours(engine, noon + 3 * hourMs, always)
    // After a crash, merged points may be added again.
    await add(resets(noon, 100))
    const all = Array.from({ length: 100 }, (_, i) => i)
    expect(numbers((await read())[0])).toEqual(all)
    for (const side of ['first', 'last'] as const)
      expect(numbers((await read({ limit: { side, count: 500 } }))[0])).toEqual(all)
  })

  it('stores distributions and estimates their quantiles', async () => {
    const edges = [0, 100, 200, 400]
    const grown = (i: number) => ({
      edges,
      counts: [0, 10 * i, 10 * i, 0],
      min: 110,
      max: 380,
      sum: 4000 * i,
      squaredMean: 12.5 * i,
    })
    const disk = { disk_id: 'd', attached_instance_id: 'web', project_id: 'p', silo_id: 's', block_size: 512 }
    const measured = resets(noon, 40, { target: 'virtual_disk', fields: disk })
    const values = measured.times.map((_, i) => grown(i))
    await add({ ...measured, series: [{ metric: 'io_latency', labels: { io_kind: 'read' }, values }] })
    await mergeHours(engine, noon + 3 * hourMs, always)
    const [series] = await read({ from: noon + 50 * second }, 'virtual_disk:io_latency')
    if (series?.points.values.kind !== 'others') throw new Error('no distributions')
    expect(series.points.values.of[0]).toEqual({ ...grown(5), p50: 200, p90: 344, p99: 376.4 })
    expect(series.points.values.of).toHaveLength(35)
  })

  it('merges only past hours', async () => {
    await add(resets(noon, 400), resets(noon, 400, { of: 'db', start: noon - 5 * second }))
    const before = await read()
    await mergeHours(engine, noon + hourMs + 9 * 60_000, always)
    expect(new Set((await chunks()).map((one) => one.span))).toEqual(new Set([slotMs]))
    await mergeHours(engine, noon + hourMs + 10 * 60_000, always)
    expect((await chunks()).filter((one) => one.span === hourMs)).toEqual([
      { slot: noon, span: hourMs },
      { slot: noon, span: hourMs },
    ])
    expect((await chunks()).filter((one) => one.slot >= noon + hourMs)).toHaveLength(4)
    expect(await read()).toEqual(before)
  })

  it('adds samples to an hour that was merged already', async () => {
    await add(resets(noon, 10))
    await mergeHours(engine, noon + 2 * hourMs, always)
    await add(resets(noon + 100 * second, 100, { value: (i) => i + 10 }))
    const all = Array.from({ length: 110 }, (_, i) => i)
    expect(numbers((await read())[0])).toEqual(all)
    await mergeHours(engine, noon + 2 * hourMs, always)
    expect(await chunks()).toEqual([{ slot: noon, span: hourMs }])
    expect(numbers((await read())[0])).toEqual(all)
  })

  it('keeps points of another start time apart, also if the set of series changes', async () => {
    const part = (from: number, start: number, vcpus: number) =>
      resets(from, 3, {
        start,
        series: Array.from({ length: vcpus }, (_, vcpu_id) => ({
          metric: 'vcpu_usage',
          labels: { state: 'run', vcpu_id },
          values: [1, 2, 3],
        })),
      })
    await add(part(noon, noon - second, 2))
    await add(part(noon + 100 * second, noon + 95 * second, 1))
    const expected = [
      [noon - second, noon - second, noon - second, ...Array(3).fill(noon + 95 * second)],
      [noon - second, noon - second, noon - second],
    ]
    const starts = async () =>
      (await read({}, 'virtual_machine:vcpu_usage')).map((one) => [...(one.points.startTimes ?? [])])
    expect(await starts()).toEqual(expected)
    await mergeHours(engine, noon + 3 * hourMs, always)
    expect(await starts()).toEqual(expected)
    // The series that ended has a last point too.
    const last = await read({ limit: { side: 'last', count: 1 } }, 'virtual_machine:vcpu_usage')
    expect(last.map((one) => times(one))).toEqual([[noon + 120 * second], [noon + 20 * second]])
  })

  it('lets no counters begin before the points of others, as the clocks of two hosts differ', async () => {
    const boot = fc.record({
      /** Between the last sample and the next, and between that sample and the start of its counters. */
      pause: fc.integer({ min: 1, max: 600 * second }),
      age: fc.integer({ min: 1, max: 3 * hourMs }),
      count: fc.integer({ min: 1, max: 20 }),
    })
    const limit = fc.option(
      fc.record({
        side: fc.constantFrom('first' as const, 'last' as const),
        count: fc.integer({ min: 1, max: 30 }),
      }),
    )
    await fc.assert(
      fc.asyncProperty(
        fc.uuid(),
        fc.array(boot, { minLength: 2, maxLength: 8 }),
        limit,
        async (of, all, cut) => {
          let last = noon
          for (const { pause, age, count } of all) {
            const from = last + pause
            await add(resets(from, count, { of, start: from - age }))
            last = from + (count - 1) * 10 * second
          }
          const [series] = await read({ equal: new Map([['instance_id', of]]), limit: cut })
          const starts = [...(series?.points.startTimes ?? [])]
          const ends = times(series)
          expect(ends).toHaveLength(
            Math.min(
              cut?.count ?? Infinity,
              all.reduce((sum, { count }) => sum + count, 0),
            ),
          )
          for (const [i, start] of starts.entries()) {
            expect(start).toBeLessThan(ends[i] ?? 0)
            if (i > 0 && start !== starts[i - 1])
              expect(start).toBeGreaterThanOrEqual(ends[i - 1] ?? Infinity)
          }
        },
      ),
      { numRuns: 40 },
    )
  })

  it('deletes old samples and sources without samples', async () => {
    await add(resets(noon, 720), resets(noon, 10, { of: 'db' }))
    now = noon + retentionMs + hourMs
    await mergeHours(engine, now, always)
    await dropOld(engine, now, always)
    expect((await read()).map((one) => times(one)[0])).toEqual([noon + hourMs])
    const left = await engine.transaction('read', (tx) =>
      tx.selectFrom('timeseriesField').select('value').where('name', '=', 'instance_id').execute(),
    )
    expect(left).toEqual([{ value: 'web' }])
  })

  it('returns any numbers as they were added', async () => {
    const number = fc.oneof(
      fc.maxSafeInteger(),
      fc.integer(),
      fc.constant(0),
      fc.double({ noDefaultInfinity: true }),
    )
    await fc.assert(
      fc.asyncProperty(fc.uuid(), fc.array(number, { minLength: 1, maxLength: 60 }), async (of, values) => {
        await add(resets(noon, values.length, { of, value: (i) => values[i] ?? 0 }))
        const [series] = await read({ equal: new Map([['instance_id', of]]) })
        expect(numbers(series).map((value) => value + 0)).toEqual(values.map((value) => value + 0))
      }),
      { numRuns: 40 },
    )
  })
})
