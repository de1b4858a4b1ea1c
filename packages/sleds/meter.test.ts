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
