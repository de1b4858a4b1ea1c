import fc from '@purlin/core/testing/properties'
import type { SimulatedSleds } from './simulation.ts'
import { describe, expect, it } from 'vitest'
import { manualClock } from './manual-clock.ts'
import { createSimulatedSleds } from './sim.ts'
import { exampleSpec, web } from './suite/suite-harness.ts'

const minute = 60_000
const hour = 60 * minute

async function rackWith(machines: number, past?: number) {
  const clock = manualClock()
  const sleds = createSimulatedSleds({ clock, ...(past === undefined ? {} : { past }) })
  const [sled] = (await sleds.hardware()).sleds
  const spec = exampleSpec(sled?.id ?? '')
  const disk = (n: number) => ({ id: `d${n}`, name: 'd', size: 1, blockSize: 512, slot: n, layers: [] })
  for (let i = 0; i < machines; i++)
    await sleds.ensure(i === 0 ? web : `vm-${i}`, { ...spec, disks: [disk(0), disk(1)] })
  return { clock, sleds, spec }
}
const vcpuTimes = (batch: Awaited<ReturnType<Awaited<ReturnType<typeof rackWith>>['sleds']['samples']>>) =>
  batch.machines[0]?.measures[0]?.times ?? []

describe('meters of simulated machines', () => {
  it('keep samples for an hour', async () => {
    const { clock, sleds, spec } = await rackWith(1)
    await clock.advance(3 * hour)
    const times = vcpuTimes(await sleds.samples(spec.sledId, null))
    expect(times[0]).toBe(clock.now() - hour + 5000)
    sleds.crash(web, 'smoke')
    await clock.advance(hour + minute)
    expect(await sleds.samples(spec.sledId, null)).toEqual({ until: clock.now(), machines: [], more: false })
  })

  it('return batches of limited size', async () => {
    const { clock, sleds, spec } = await rackWith(20)
    await clock.advance(hour)
    let since: number | null = null
    let batches = 0
    for (let more = true; more; batches++) {
      const batch = await sleds.samples(spec.sledId, since)
      const count = batch.machines.flatMap(({ measures }) =>
        measures.flatMap(({ times, series }) => times.length * series.length),
      )
      expect(count.reduce((sum, one) => sum + one, 0)).toBeLessThan(250_000)
      ;({ more, until: since } = batch)
    }
    expect(batches).toBeGreaterThan(3)
    expect(since).toBe(clock.now())
  })

  it('start earlier if the simulation has a past', async () => {
    const { clock, sleds, spec } = await rackWith(1, 3 * hour)
    await clock.advance(minute)
    await sleds.ensure('late', spec)
    await clock.advance(minute)
    const { machines } = await sleds.samples(spec.sledId, null)
    expect(machines.find(({ id }) => id === web)?.start).toBe(clock.now() - 2 * minute - 3 * hour)
    expect(machines.find(({ id }) => id === 'late')?.start ?? clock.now() - minute).toBe(clock.now() - minute)
    expect((await sleds.samples(spec.sledId, clock.now() - minute)).machines).toHaveLength(2)
  })

  it('return a plausible load and consistent operations', async () => {
    const { clock, sleds, spec } = await rackWith(1)
    await clock.advance(30 * minute)
    const { machines } = await sleds.samples(spec.sledId, null)
    const all = machines[0]?.measures ?? []
    const series = (metric: string, label = '') =>
      all
        .flatMap((one) => one.series)
        .find((one) => one.metric === metric && JSON.stringify(one.labels).includes(label))?.values ?? []
    const run = series('vcpu_usage', 'run') as number[]
    const share = (Number(run.at(-1)) - Number(run[0])) / ((run.length - 1) * 5e9)
    expect(share).toBeGreaterThan(0.01)
    expect(share).toBeLessThan(0.95)
    const size = series('io_size', 'read').at(-1)
    if (typeof size !== 'object') throw new Error('no distribution')
    expect(size.counts.reduce((sum, one) => sum + one, 0)).toBe(series('reads').at(-1))
    expect(size.sum).toBe(series('bytes_read').at(-1))
    expect(Number(series('packets_sent').at(-1))).toBeGreaterThan(0)
  })
})

/** Requests for a machine, its failures, and time in between. */
const acts = fc.array(
  fc.oneof(
    ...(['boot', 'again', 'reset', 'move', 'remove', 'shut down', 'crash'] as const).map((kind) =>
      fc.constant({ kind }),
    ),
    fc.record({ kind: fc.constant('wait' as const), ms: fc.integer({ min: 0, max: 40_000 }) }),
  ),
  { maxLength: 40 },
)

/** All samples of a sled, batch by batch. */
async function samplesOf(sleds: SimulatedSleds, sledId: string) {
  const found = []
  let since: number | null = null
  for (let more = true; more;) {
    const batch = await sleds.samples(sledId, since)
    found.push(...batch.machines)
    ;({ more, until: since } = batch)
  }
  return found
}

it('counters begin after all samples before them, whatever happens to a machine, also with a past', async () => {
  await fc.assert(
    fc.asyncProperty(acts, fc.constantFrom(0, 3 * hour), async (all, past) => {
      const clock = manualClock()
      const sleds = createSimulatedSleds({ clock, past, random: () => 0 })
      const ids = (await sleds.hardware()).sleds.slice(0, 2).map(({ id }) => id)
      let [boot, reset, moves] = [0, 0, 0]
      const spec = (sledId = '') => ({ ...exampleSpec(sledId), boot, reset })
      const at = async () => {
        for (const id of ids) if (await sleds.inspect(web, id)) return id
        return ids[0] ?? ''
      }
      for (const act of all) {
        const here = await at()
        const there = ids.find((id) => id !== here) ?? ''
        if (act.kind === 'wait') await clock.advance(act.ms)
        if (act.kind === 'boot') boot++
        if (act.kind === 'reset') reset++
        if (boot > 0 && ['boot', 'again', 'reset'].includes(act.kind)) await sleds.ensure(web, spec(here))
        if (act.kind === 'move') await sleds.migrate(web, { id: `${moves++}`, to: there, spec: spec(here) })
        if (act.kind === 'remove') await sleds.remove(web, here, boot)
        if (act.kind === 'shut down') await sleds.shutDown(web, here, boot)
        if (act.kind === 'crash') sleds.crash(web, 'smoke')
      }
      await clock.advance(minute)
      const measured = (await Promise.all(ids.map((id) => samplesOf(sleds, id)))).flat()
      const points = measured
        .flatMap(({ start, measures }) =>
          measures
            .filter(({ kind }) => kind === 'virtual_disk')
            .flatMap(({ times }) => times.map((time) => ({ start, time }))),
        )
        .toSorted((a, b) => a.time - b.time)
      for (const [i, { start, time }] of points.entries()) {
        const before = points[i - 1]
        expect(time).toBeGreaterThan(start)
        if (before && before.start !== start) expect(start).toBeGreaterThan(before.time)
        if (before) expect(time).toBeGreaterThan(before.time)
      }
    }),
    { numRuns: 100 },
  )
})
