import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instancesOf, smallInstance, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { hasRealSleds, hasSimulatedSleds, hasSledsInside } from './sled-rows.ts'

let w: TestWorld
const fleet = () => w.as('fleetAdmin')
const some = { query: {} }
const minutes = 60_000

beforeEach(async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 3, spare: 1 } })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const sleds = async () => (await fleet().sledList(some)).items
const firstSled = async () => {
  const [sled] = await sleds()
  if (!sled) throw new Error('no sled')
  return sled
}
const at = (sledId: string) => ({ params: { sledId } })
const refusal = (status: number, message: string) =>
  expect.objectContaining({ status, message: expect.stringContaining(message) })

describe('reports of the hardware', () => {
  it('are there at the start, with their time', async () => {
    const now = w.clock.now()
    const [rack] = (await fleet().rackList(some)).items
    expect(rack).toMatchObject({ serial: 'PRR26110003', missingSince: null })
    const all = await sleds()
    expect(all).toHaveLength(3)
    expect(all[0]).toMatchObject({
      rackId: rack?.id,
      policy: { kind: 'in_service', provisionPolicy: 'provisionable' },
      state: 'active',
      usableHardwareThreads: 128,
      host: { accelerator: 'simulated', vendor: 'Ashlar', links: [{ state: 'up' }, { state: 'up' }] },
      timeReported: new Date(now),
      missingSince: null,
    })
    expect(await hasSimulatedSleds(w.world.engine)).toBe(true)
    expect(await hasRealSleds(w.world.engine)).toBe(false)
    expect(await hasSledsInside(w.world.engine)).toBe(true)
    expect((await fleet().switchList(some)).items).toHaveLength(2)
    expect((await fleet().physicalDiskList(some)).items).toHaveLength(3 * 12)
    expect((await fleet().networkingSwitchPortList(some)).items).toHaveLength(16)
  })

  it('are read every ten minutes', async () => {
    const before = (await firstSled()).timeReported?.getTime() ?? 0
    await w.jump(10 * minutes)
    expect((await firstSled()).timeReported?.getTime()).toBe(before + 10 * minutes)
  })

  it('keep the load of each ten minutes', async () => {
    await instancesOf(w).create('web', { ncpus: 2, memory: 4 * GiB, start: true })
    await w.advance(200)
    const on = (await fleet().sledList(some)).items.find(({ capacity }) => capacity?.threads.reserved)
    for (let i = 0; i < 3; i++) await w.jump(10 * minutes)
    const samples = async (metricName: 'threads' | 'memory') => {
      const page = await fleet().sledMetric({
        params: { sledId: on?.id ?? '', metricName },
        query: { startTime: new Date(0), endTime: new Date(w.clock.now() + 1) },
      })
      return page.items.map(({ datum }) => datum.datum)
    }
    expect((await samples('threads')).at(-1)).toBe(0.2)
    expect((await samples('memory')).at(-1)).toBe(4 * GiB)
    expect((await samples('memory')).length).toBeGreaterThanOrEqual(3)
    await w.jump(40 * 24 * 60 * minutes)
    const kept = await inDb(w, (tx) => tx.selectFrom('sledLoad').select('at').execute())
    expect(Math.min(...kept.map(({ at }) => at))).toBeGreaterThan(w.clock.now() - 32 * 24 * 60 * minutes)
  })

  it('a sled that vanishes is missing since then, and is there again later', async () => {
    const sled = await firstSled()
    await w.advance(minutes)
    w.sleds.loseSled(sled.id)
    await w.settle()
    const since = new Date(w.clock.now())
    expect(await fleet().sledView(at(sled.id))).toMatchObject({ missingSince: since })
    const disks = await fleet().sledPhysicalDiskList({ ...at(sled.id), query: { limit: 1 } })
    expect(disks.items[0]).toMatchObject({ missingSince: since })
    await w.jump(30 * minutes)
    expect(await fleet().sledView(at(sled.id))).toMatchObject({ missingSince: since })
    expect((await sleds()).map(({ id }) => id)).toContain(sled.id)
    w.sleds.restoreSled(sled.id)
    await w.settle()
    expect(await fleet().sledView(at(sled.id))).toMatchObject({ missingSince: null })
  })

  it('a failing disk says why, and a link that goes down since when', async () => {
    const [disk] = (await fleet().physicalDiskList(some)).items
    w.sleds.failDisk(disk?.id ?? '', '12 sectors cannot be read')
    await w.settle()
    expect(await fleet().physicalDiskView({ params: { diskId: disk?.id ?? '' } })).toMatchObject({
      health: 'failing',
      healthReason: '12 sectors cannot be read',
    })
    const ports = (await fleet().networkingSwitchPortList(some)).items
    const used = ports.find(({ link }) => link?.state === 'up')
    await w.advance(minutes)
    w.sleds.setLink(used?.id ?? '', 'down')
    await w.settle()
    const port = {
      params: { port: used?.portName ?? '' },
      query: { rackId: used?.rackId ?? '', switchLocation: used?.switchLocation ?? '' },
    }
    expect(await fleet().networkingSwitchPortStatus(port)).toMatchObject({
      link: { state: 'down', speed: null },
      monitors: { vendor: 'Ashlar' },
    })
  })
})

describe('sleds', () => {
  it('a closed one takes no new instances, and those on it stay', async () => {
    const vm = instancesOf(w)
    const all = await sleds()
    const [open, ...closed] = all.map(({ id }) => id)
    for (const id of closed)
      expect(
        await fleet().sledSetProvisionPolicy({ ...at(id), body: { state: 'non_provisionable' } }),
      ).toEqual({ oldState: 'provisionable', newState: 'non_provisionable' })
    await vm.create('web', { start: true })
    await w.advance(200)
    const here = { ...at(open ?? ''), query: {} }
    expect((await fleet().sledInstanceList(here)).items).toMatchObject([
      { name: 'web', projectName: 'demo', siloName: 'acme', state: 'running', activeSledId: open, ncpus: 1 },
    ])
    await fleet().sledSetProvisionPolicy({ ...at(open ?? ''), body: { state: 'non_provisionable' } })
    await vm.create('late')
    await expect(vm.start('late')).rejects.toEqual(refusal(507, 'No sled accepts instances now'))
    expect((await vm.view('web')).runState).toBe('running')
  })

  it('one that does not answer takes no new instances', async () => {
    for (const { id } of await sleds()) w.sleds.loseSled(id)
    await w.settle()
    await instancesOf(w).create('web')
    await expect(instancesOf(w).start('web')).rejects.toEqual(refusal(507, 'No sled accepts instances now'))
  })

  it('their capacity is what placement accepts', async () => {
    const vm = instancesOf(w, 'admin')
    const [kept, ...others] = await sleds()
    for (const { id } of others)
      await fleet().sledSetProvisionPolicy({ ...at(id), body: { state: 'non_provisionable' } })
    const capacity = async () => (await fleet().sledView(at(kept?.id ?? ''))).capacity
    for (let i = 0; ; i++) {
      const { threads, memory } = (await capacity()) ?? { threads: undefined, memory: undefined }
      const free = (threads?.usable ?? 0) - (threads?.reserved ?? 0)
      if (free === 0) break
      const ncpus = Math.min(48, free)
      await vm.create(`vm-${i}`, { ncpus, memory: 32 * GiB, start: true })
      await w.advance(200)
      expect((await vm.view(`vm-${i}`)).runState).toBe('running')
      expect((await capacity())?.threads.reserved).toBe((threads?.reserved ?? 0) + ncpus)
      expect((await capacity())?.memory.reserved).toBe((memory?.reserved ?? 0) + 32 * GiB)
    }
    await vm.create('late')
    await expect(vm.start('late')).rejects.toEqual(refusal(507, 'No sled has 1 vCPU'))
  })

  it('a host that was seen is added once', async () => {
    const [seen] = (await fleet().sledListUninitialized(some)).items
    const board = { part: seen?.baseboard.part ?? '', serial: seen?.baseboard.serial ?? '' }
    const { id } = await fleet().sledAdd({ body: board })
    expect(await fleet().sledView(at(id))).toMatchObject({ baseboard: board, state: 'active' })
    expect(await fleet().sledListUninitialized(some)).toMatchObject({ items: [] })
    expect((await fleet().sledPhysicalDiskList({ ...at(id), query: {} })).items).toHaveLength(12)
    await expect(fleet().sledAdd({ body: board })).rejects.toEqual(
      refusal(400, `already exists: sled "${board.serial}"`),
    )
    await expect(fleet().sledAdd({ body: { ...board, serial: 'unknown' } })).rejects.toEqual(
      refusal(404, 'not found: sled'),
    )
    const { items } = await fleet().auditLogList({ query: { startTime: new Date(0) } })
    // The refused ones may be in the same millisecond.
    const entry = items.find(
      ({ operationId, result }) => operationId === 'sled_add' && result.kind === 'success',
    )
    expect(entry?.objects).toMatchObject([{ type: 'sled', id, nameBefore: null }])
  })
})

describe('hardware that is out of service for good', () => {
  it('is in no list of the fleet, can be viewed, and is not reported again', async () => {
    const sled = await firstSled()
    const [disk] = (await fleet().sledPhysicalDiskList({ ...at(sled.id), query: {} })).items
    await inDb(w, async (tx) => {
      const gone = { policy: 'expunged', state: 'decommissioned' } as const
      await tx.updateTable('sled').set(gone).where('id', '=', sled.id).execute()
      await tx
        .updateTable('physicalDisk')
        .set(gone)
        .where('id', '=', disk?.id ?? '')
        .execute()
    })
    expect((await sleds()).map(({ id }) => id)).not.toContain(sled.id)
    expect(await fleet().sledView(at(sled.id))).toMatchObject({
      policy: { kind: 'expunged' },
      state: 'decommissioned',
    })
    const change = { ...at(sled.id), body: { state: 'provisionable' as const } }
    await expect(fleet().sledSetProvisionPolicy(change)).rejects.toEqual(
      refusal(400, 'out of service for good'),
    )
    const inFleet = (await fleet().physicalDiskList(some)).items.map(({ id }) => id)
    expect(inFleet).not.toContain(disk?.id)
    const ofSled = (await fleet().sledPhysicalDiskList({ ...at(sled.id), query: {} })).items
    expect(ofSled.map(({ id }) => id)).toContain(disk?.id)
    w.sleds.pull(disk?.id ?? '')
    await w.settle()
    expect(await fleet().physicalDiskView({ params: { diskId: disk?.id ?? '' } })).toMatchObject({
      policy: { kind: 'expunged' },
      missingSince: null,
    })
  })

  it('its sleds take no instances', async () => {
    await inDb(w, (tx) => tx.updateTable('sled').set({ policy: 'expunged' }).execute())
    const create = w.as('admin').instanceCreate({ query: { project: 'demo' }, body: smallInstance('web') })
    await create
    await expect(instancesOf(w).start('web')).rejects.toEqual(refusal(507, 'The system has no sled'))
  })
})

describe('ports', () => {
  const port = async () => {
    const [one] = (await fleet().networkingSwitchPortList(some)).items
    return {
      params: { port: one?.portName ?? '' },
      query: { rackId: one?.rackId ?? '', switchLocation: 'switch0' },
    }
  }

  it('are named by rack, switch and port', async () => {
    const named = await port()
    await expect(
      fleet().networkingSwitchPortStatus({ ...named, query: { ...named.query, switchLocation: 'switch2' } }),
    ).rejects.toEqual(refusal(400, 'invalid switch name switch2'))
    await expect(
      fleet().networkingSwitchPortStatus({ ...named, params: { port: 'qsfp99' } }),
    ).rejects.toEqual(refusal(404, 'not found: switch-port'))
  })

  it('settings that do not exist are not applied, and none can be cleared', async () => {
    const named = await port()
    await expect(
      fleet().networkingSwitchPortApplySettings({ ...named, body: { portSettings: 'uplink' } }),
    ).rejects.toEqual(refusal(400, 'port settings not found'))
    await fleet().networkingSwitchPortClearSettings(named)
    const { items } = await fleet().networkingSwitchPortList(some)
    expect(items.map(({ portSettingsId }) => portSettingsId)).toEqual(items.map(() => null))
    const [one] = items
    expect(await fleet().networkingSwitchPortList({ query: { switchPortId: one?.id ?? '' } })).toMatchObject({
      items: [{ id: one?.id }],
    })
  })
})

it('disks are filtered and ordered by their health, and found by their serial numbers', async () => {
  const all = (await fleet().physicalDiskList(some)).items
  const [failing, failed] = all.slice(3)
  for (const [one, health] of [
    [failing, 'failing'],
    [failed, 'failed'],
  ] as const)
    await inDb(w, (tx) =>
      tx
        .updateTable('physicalDisk')
        .set({ health })
        .where('id', '=', one?.id ?? '')
        .execute(),
    )
  const listed = async (query: Parameters<ReturnType<typeof fleet>['physicalDiskList']>[0]['query']) =>
    (await fleet().physicalDiskList({ query })).items.map(({ id }) => id)
  expect(await listed({ filter: ['health:failing'] })).toEqual([failing?.id])
  expect(await listed({ filter: ['health:failing', 'health:failed'] })).toHaveLength(2)
  expect(await listed({ filter: ['-health:ok'], sortBy: 'health_descending' })).toEqual([
    failing?.id,
    failed?.id,
  ])
  expect((await listed({ sortBy: 'health_ascending' })).slice(0, 2)).toEqual([failed?.id, failing?.id])
  const { totalItems, totals } = await fleet().physicalDiskList({ query: { total: true } })
  expect([totalItems, totals]).toEqual([36, { health: { ok: 34, failing: 1, failed: 1 } }])
  expect(await listed({ find: failing?.serial ?? '' })).toEqual([failing?.id])
  const sled = await firstSled()
  expect((await fleet().sledList({ query: { find: sled.baseboard.serial } })).items).toHaveLength(1)
  await expect(listed({ filter: ['health:odd'] })).rejects.toMatchObject({ status: 400 })
  const on = failing?.sledId ?? ''
  const ofSled = await fleet().sledPhysicalDiskList({ ...at(on), query: { filter: ['health:failing'] } })
  expect(ofSled.items.map(({ id }) => id)).toEqual([failing?.id])
})
