import type { Measures, SampleBatch, VmSamples, VmSpec } from '@purlin/core/ports'
import { expect } from 'vitest'
import { db, running, untilState, web, type Rule, type SledHarness } from './suite-harness.ts'

const samplingMs = 11_000

/** Reads all samples of a machine after `since`, batch by batch. */
async function measured(h: SledHarness, sledId: string, since: number | null, id = web) {
  const found: VmSamples[] = []
  let batch: SampleBatch
  let from = since
  do {
    batch = await h.driver.samples(sledId, from)
    expect(batch.until).toBeGreaterThanOrEqual(from ?? 0)
    found.push(...batch.machines.filter((one) => one.id === id))
    from = batch.until
  } while (batch.more)
  return { found, until: batch.until }
}

const of = (all: readonly VmSamples[], kind: Measures['kind']) =>
  all.flatMap(({ measures }) => measures.filter((one) => one.kind === kind))
const timesOf = (all: readonly VmSamples[], metric: string) =>
  all.flatMap(({ measures }) =>
    measures
      .filter(({ series }) => series.some((one) => one.metric === metric))
      .flatMap(({ times }) => times),
  )
const isNonDecreasing = (list: readonly number[]) => list.every((value, i) => value >= (list[i - 1] ?? value))

/** The counters of a kind, each with the values of all batches. */
function counters(all: readonly VmSamples[], kind: Measures['kind']): Map<string, number[]> {
  const values = new Map<string, number[]>()
  for (const { id, series } of of(all, kind))
    for (const one of series.filter(({ metric }) => metric !== 'memory_used')) {
      const name = JSON.stringify([id, one.metric, one.labels])
      const numbers = one.values.map((value) =>
        typeof value === 'number' ? value : value.counts.reduce((sum, count) => sum + count, 0),
      )
      values.set(name, [...(values.get(name) ?? []), ...numbers])
    }
  return values
}

/** The devices of a machine that are measured, each with a counter that it has. */
const ofDevices = [
  {
    device: 'disk',
    kind: 'virtual_disk',
    metric: 'reads',
    idsOf: ({ disks }: VmSpec) => disks.map(({ id }) => id),
  },
  {
    device: 'interface',
    kind: 'instance_network_interface',
    metric: 'bytes_sent',
    idsOf: ({ nics }: VmSpec) => nics.map(({ id }) => id),
  },
] as const

async function expectCounting(h: SledHarness, kind: Measures['kind']): Promise<void> {
  const { sledId } = await running(h)
  await h.advance(2 * samplingMs)
  const { found } = await measured(h, sledId, null)
  const all = counters(found, kind)
  expect(all.size).toBeGreaterThan(0)
  for (const [name, values] of all)
    expect([name, values.every((one) => one >= 0), isNonDecreasing(values)]).toEqual([name, true, true])
}

/** The rules for measurements. */
export function sampleRules(rule: Rule) {
  rule('measures vCPUs every five seconds, and the times of their states add up', async (h) => {
    const { sledId, ncpus } = await running(h)
    await h.advance(samplingMs)
    const { found } = await measured(h, sledId, null)
    const times = timesOf(found, 'vcpu_usage')
    expect(times.length).toBeGreaterThanOrEqual(2)
    times.forEach((time, i) => i > 0 && expect(time - (times[i - 1] ?? 0)).toBe(5000))
    const usage = [...counters(found, 'virtual_machine')].filter(([name]) => name.includes('vcpu_usage'))
    expect(usage).toHaveLength(4 * ncpus)
    for (let vcpu = 0; vcpu < ncpus; vcpu++) {
      const states = usage.filter(([name]) => name.includes(`"vcpu_id":${vcpu}`))
      const sums = times.map((_, i) => states.reduce((sum, [, values]) => sum + (values[i] ?? 0), 0))
      sums.forEach((sum, i) => i > 0 && expect(sum - (sums[i - 1] ?? 0)).toBe(5e9))
    }
    // Firmware or a guest has run.
    const run = usage.filter(([name]) => name.includes('"state":"run"'))
    expect(run.reduce((sum, [, values]) => sum + (values.at(-1) ?? 0), 0)).toBeGreaterThan(0)
  })

  for (const { device, kind, metric, idsOf } of ofDevices) {
    rule(`measures every ${device} every ten seconds`, async (h) => {
      const spec = await running(h)
      await h.advance(2 * samplingMs)
      const { found } = await measured(h, spec.sledId, null)
      expect([...new Set(of(found, kind).map(({ id }) => id))]).toEqual(idsOf(spec))
      const times = timesOf(found, metric)
      times.forEach((time, i) => i > 0 && expect(time - (times[i - 1] ?? 0)).toBe(10_000))
      expect(times.length).toBeGreaterThanOrEqual(2)
    })

    rule(`counters of each ${device} never decrease`, (h) => expectCounting(h, kind))
  }

  rule('counters of vCPUs never decrease', (h) => expectCounting(h, 'virtual_machine'))

  rule('measures the memory in use, by the word of the guest or of the host', async (h) => {
    const { sledId, memory } = await running(h)
    await h.advance(2 * samplingMs)
    const { found } = await measured(h, sledId, null)
    const series = of(found, 'virtual_machine').flatMap((one) => one.series)
    const used = series.filter(({ metric }) => metric === 'memory_used')
    expect(used.length).toBeGreaterThan(0)
    for (const { labels, values } of used) {
      expect(['guest', 'host']).toContain(labels['source'])
      expect(Math.min(...values.map(Number))).toBeGreaterThan(0)
      if (labels['source'] === 'guest') expect(Math.max(...values.map(Number))).toBeLessThanOrEqual(memory)
    }
  })

  rule('returns the same samples for the same request, and only later ones after `until`', async (h) => {
    const { sledId } = await running(h)
    await h.advance(samplingMs)
    const first = await measured(h, sledId, null)
    await h.advance(samplingMs)
    const both = await measured(h, sledId, null)
    const second = await measured(h, sledId, first.until)
    const times = (all: typeof both) => timesOf(all.found, 'vcpu_usage')
    expect(times(first).length * times(second).length).toBeGreaterThan(0)
    expect([...times(first), ...times(second)]).toEqual(times(both))
    expect(times(both).every((time) => time <= both.until)).toBe(true)
    expect(isNonDecreasing(times(both))).toBe(true)
    const values = [...counters(both.found, 'virtual_machine').values()]
    const joined = [...counters([...first.found, ...second.found], 'virtual_machine').values()]
    expect(joined).toEqual(values)
  })

  rule('a new boot counts from 0, and starts after all samples of the boots before', async (h) => {
    const spec = await running(h)
    await h.advance(samplingMs)
    await h.driver.ensure(web, { ...spec, boot: 2 })
    await h.advance(samplingMs)
    const { found } = await measured(h, spec.sledId, null)
    const [old, fresh] = [1, 2].map((boot) => found.filter((one) => one.boot === boot))
    const end = timesOf(old ?? [], 'vcpu_usage').at(-1) ?? 0
    expect(fresh?.[0]?.start).toBeGreaterThan(end)
    expect(fresh?.every((one) => one.start === fresh[0]?.start)).toBe(true)
    expect(timesOf(fresh ?? [], 'vcpu_usage')[0]).toBeGreaterThan(fresh?.[0]?.start ?? Infinity)
  })

  rule('counts the resets of a boot', async (h) => {
    const spec = await running(h)
    await h.driver.ensure(web, { ...spec, reset: 1 })
    await untilState(h, web, spec.sledId, 'running')
    await h.advance(samplingMs)
    const { found } = await measured(h, spec.sledId, null)
    const resets = [...counters(found, 'virtual_machine')].find(([name]) => name.includes('"reset"'))
    expect(resets?.[1].at(-1)).toBe(1)
  })

  rule('keeps the samples of a machine that has ended, and adds none', async (h) => {
    const { sledId } = await running(h)
    await running(h, db)
    await h.advance(samplingMs)
    await h.driver.remove(web, sledId, 1)
    await untilState(h, web, sledId, null)
    const { found, until } = await measured(h, sledId, null)
    expect(timesOf(found, 'vcpu_usage').length).toBeGreaterThanOrEqual(2)
    await h.advance(samplingMs)
    expect((await measured(h, sledId, until)).found).toEqual([])
    expect((await measured(h, sledId, until, db)).found).toHaveLength(1)
  })
}
