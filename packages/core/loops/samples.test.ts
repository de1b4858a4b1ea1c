import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { schemas } from '#/timeseries/schemas.ts'
import { createTimeseriesReader } from '#/timeseries/store-read.ts'
import { hourMs, retentionMs } from '#/timeseries/store.ts'
import { instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { skipsLong } from '#/testing/samples.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import type { Fields, StoredSeries } from '#/timeseries/model.ts'

const second = 1000
const minute = 60 * second
let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ collects: true, timings: swift })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

async function read(name: string, test: (fields: Fields) => boolean = () => true): Promise<StoredSeries[]> {
  const schema = schemas.get(name)
  if (!schema) throw new Error(name)
  const all = { schema, equal: new Map(), test, from: null, until: null, limit: null }
  return createTimeseriesReader(w.world).read(all, 1_000_000)
}
const usage = () => read('virtual_machine:vcpu_usage', (fields) => fields['state']?.value === 'run')
const plain = ({ fields }: StoredSeries) =>
  Object.fromEntries(Object.entries(fields).map(([name, { value }]) => [name, value]))
const times = (series: StoredSeries | undefined) => [...(series?.points.timestamps ?? [])]
const starts = (series: StoredSeries | undefined) => [...new Set(series?.points.startTimes)]
/** Every time is later than the one before, and every new start is later than everything before it. */
const isInOrder = (series: StoredSeries | undefined) =>
  times(series).every((time, i, all) => {
    const [before, start] = [all[i - 1], series?.points.startTimes?.[i] ?? Infinity]
    if (before === undefined) return start < time
    return time > before && (start === series?.points.startTimes?.[i - 1] ? true : start > before)
  })
const rows = () => inDb(w, (tx) => tx.selectFrom('timeseriesChunk').selectAll().execute())

describe('measurements of sleds', () => {
  it('can be read half a minute later, with the fields of the machine, its disks and interfaces', async () => {
    await vm.create('web', {
      start: true,
      bootDisk: {
        type: 'create',
        name: 'root',
        description: '',
        size: 2 ** 30,
        diskSource: { type: 'blank', blockSize: 512 },
      },
    })
    await w.advance(2 * minute)
    const { id, projectId, siloId, sledId } = await rowOf(w, 'web')
    const sled = (await sledRows(w)).find((one) => one.id === sledId)
    const owner = { project_id: projectId, silo_id: siloId }
    const [cpu, ...others] = await usage()
    expect(others).toEqual([])
    expect(plain(cpu as StoredSeries)).toEqual({
      instance_id: id,
      ...owner,
      sled_id: sledId,
      sled_model: sled?.part,
      sled_revision: sled?.revision,
      sled_serial: sled?.serial,
      state: 'run',
      vcpu_id: 0,
    })
    expect(times(cpu).length).toBeGreaterThanOrEqual(17)
    expect(times(cpu).every((time, i, all) => i === 0 || time - (all[i - 1] ?? 0) === 5 * second)).toBe(true)
    const [memory] = await read('virtual_machine:memory_used')
    expect(plain(memory as StoredSeries)).toMatchObject({ ...owner, instance_id: id, source: 'guest' })
    // An amount counts from no start.
    expect(memory?.points.startTimes).toBeNull()
    const [disk] = await read('virtual_disk:bytes_read')
    expect(plain(disk as StoredSeries)).toMatchObject({ ...owner, attached_instance_id: id, block_size: 512 })
    const [nic] = await read('instance_network_interface:bytes_sent')
    expect(plain(nic as StoredSeries)).toMatchObject({ ...owner, instance_id: id })
    expect(await read('virtual_disk:io_latency')).toHaveLength(3)
  })

  it.skipIf(skipsLong())('continues over the hours, merged, without gaps or duplicates', async () => {
    await vm.create('web', { start: true })
    for (let i = 0; i < 30; i++) await w.advance(5 * minute)
    const [cpu] = await usage()
    expect(isInOrder(cpu)).toBe(true)
    expect(times(cpu).every((time, i, all) => i === 0 || time - (all[i - 1] ?? 0) === 5 * second)).toBe(true)
    expect(times(cpu).length).toBeGreaterThanOrEqual(29 * 60)
    expect((await rows()).filter((row) => row.span === hourMs).length).toBeGreaterThan(10)
    // Two hours are complete and merged; only the third hour's blocks are still small.
    expect(
      Math.min(...(await rows()).filter((row) => row.span < hourMs).map((row) => row.slot)),
    ).toBeGreaterThan(w.clock.now() - 1.3 * hourMs)
  })

  it('comes later from a sled that did not answer', async () => {
    await vm.create('web', { start: true })
    await w.advance(minute)
    const { sledId } = await rowOf(w, 'web')
    w.sleds.loseSled(sledId ?? '')
    await w.advance(10 * minute)
    const [before] = await usage()
    w.sleds.restoreSled(sledId ?? '')
    await w.advance(minute)
    const [after] = await usage()
    expect(times(after).length - times(before).length).toBeGreaterThan(100)
    expect(isInOrder(after)).toBe(true)
    expect(times(after).every((time, i, all) => i === 0 || time - (all[i - 1] ?? 0) === 5 * second)).toBe(
      true,
    )
  })

  it('is in order across a restart, where machines start over', async () => {
    await vm.create('web', { start: true, networkInterfaces: { type: 'default' } })
    await w.advance(3 * minute)
    await w.restart()
    await w.advance(3 * minute)
    expect((await rowOf(w, 'web')).boot).toBe(2)
    const [nic] = await read('instance_network_interface:bytes_sent')
    expect(starts(nic)).toHaveLength(2)
    expect(isInOrder(nic)).toBe(true)
  })

  it('of a boot that has been replaced is not stored any more', async () => {
    await vm.create('web', { start: true })
    await w.advance(minute)
    w.sleds.crash((await rowOf(w, 'web')).id, 'smoke')
    await w.advance(2 * minute)
    expect((await rowOf(w, 'web')).boot).toBe(2)
    for (const series of await read('instance_network_interface:bytes_sent')) {
      expect(starts(series)).toHaveLength(2)
      expect(isInOrder(series)).toBe(true)
    }
  })

  it.skipIf(skipsLong())('stays when the instance is deleted, until it is too old', async () => {
    await vm.create('web', { start: true })
    await w.advance(minute)
    await vm.stop('web')
    await w.advance(minute)
    await vm.remove('web')
    await w.advance(minute)
    const [cpu] = await usage()
    expect(times(cpu).length).toBeGreaterThan(5)
    await inDb(w, (tx) =>
      tx
        .updateTable('timeseriesChunk')
        .set((eb) => ({ slot: eb('slot', '-', retentionMs) }))
        .execute(),
    )
    await w.advance(hourMs)
    expect(await rows()).toEqual([])
    expect(await inDb(w, (tx) => tx.selectFrom('timeseriesSource').selectAll().execute())).toEqual([])
  })

  it('is collected by one of several servers at a time, and by another when that one ends', async () => {
    let calls = 0
    const { sleds } = w
    const counting = new Proxy(sleds, {
      get: (target, key) => {
        if (key === 'samples') calls++
        const value = Reflect.get(target, key) as unknown
        return typeof value === 'function' ? (value.bind(target) as unknown) : value
      },
    })
    await w.another(counting)
    await w.another(counting)
    await w.plane.loops.stop()
    await vm.create('web', { start: true })
    await w.advance(100 * second)
    calls = 0
    await w.advance(10 * minute)
    const perRound = (await sleds.hardware()).sleds.length
    expect(calls / perRound).toBeGreaterThanOrEqual(18)
    expect(calls / perRound).toBeLessThanOrEqual(21)
    const [nic] = await read('instance_network_interface:bytes_sent')
    expect(isInOrder(nic)).toBe(true)
  })

  it('of a demonstration is in order when a machine moves in its first seconds', async () => {
    await w.close()
    w = await openWorld({ collects: true, timings: swift, past: 3 * hourMs })
    await instancesOf(w).create('web', {
      start: true,
      bootDisk: {
        type: 'create',
        name: 'root',
        description: '',
        size: 2 ** 30,
        diskSource: { type: 'blank', blockSize: 512 },
      },
      networkInterfaces: { type: 'default' },
    })
    await w.advance(5 * second)
    await inDb(w, (tx) => tx.updateTable('lease').set({ until: 0 }).where('name', '=', 'samples').execute())
    w.plane.loops.wake('samples')
    await w.advance(second)
    expect(times((await read('virtual_disk:bytes_read'))[0]).length).toBeGreaterThan(1000)
    const { sledId: before } = await rowOf(w, 'web')
    await w.as('fleetAdmin').sledMaintenanceStart({ params: { sledId: before ?? '' }, body: {} })
    await w.advance(2 * minute)
    const { sledId, boot } = await rowOf(w, 'web')
    expect(boot).toBe(1)
    expect(sledId).not.toBe(before)
    for (const name of ['virtual_disk:bytes_read', 'instance_network_interface:bytes_sent']) {
      const [series] = await read(name)
      expect(starts(series), name).toHaveLength(2)
      expect(isInOrder(series), name).toBe(true)
      const query = `get ${name} | align mean_within(10s)`
      const answer = await w.as('admin').timeseriesQuery({ query: { project: 'demo' }, body: { query } })
      expect(answer.tables.length, name).toBeGreaterThan(0)
    }
  })

  it('of a demonstration has a past', async () => {
    await w.close()
    w = await openWorld({ collects: true, timings: swift, past: 3 * hourMs })
    await instancesOf(w).create('web', { start: true })
    await w.advance(minute)
    const [cpu] = await usage()
    expect(times(cpu).length).toBeGreaterThan(2100)
    expect(isInOrder(cpu)).toBe(true)
  })
})
