import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { waitingEngine } from '#/testing/engines.ts'
import { altered, forceRow, instancesOf, rowOf, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { hostLeasesOf } from './host-leases.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
let thaw: () => void
beforeEach(async () => {
  thaw = () => undefined
  w = await openWorld({ timings: swift, lookMs: 3_000, rack: { spare: 1 } })
  vm = instancesOf(w)
})
afterEach(async () => {
  // A test that fails would otherwise wait for it.
  thaw()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1_000
const state = async (name = 'web') => (await rowOf(w, name)).runState
const leases = () => inDb(w, (tx) => tx.selectFrom('lease').selectAll().where('holder', '!=', '').execute())
const holders = async () => new Set((await leases()).map(({ holder }) => holder))

/** A server that stops between two statements, or calls of its hosts, and continues later. */
async function freezable() {
  let frozen: PromiseWithResolvers<void> | undefined
  const caller = w.sleds.asServer()
  const sleds = altered(caller, {
    ensure: async (...args) => {
      await frozen?.promise
      await caller.ensure(...args)
    },
  })
  thaw = () => {
    frozen?.resolve()
    frozen = undefined
  }
  const engine = waitingEngine(w.world.engine, () => frozen?.promise)
  const server = await w.another(sleds, { engine })
  return {
    ...server,
    sleds,
    freeze: () => void (frozen = Promise.withResolvers()),
    thaw,
  }
}

/** The first server of the world has ended, and a freezable one drives the hosts. */
async function freezableHolder() {
  const holder = await freezable()
  await w.plane.loops.stop()
  await w.advance(second)
  vm = instancesOf({ ...w, as: holder.as })
  return holder
}

describe('servers that share hosts', () => {
  it('have one holder of all hosts, and one that ends leaves them to the next within a second', async () => {
    await w.another()
    await w.advance(10 * second)
    const [first] = await holders()
    expect(await leases()).toHaveLength(2 + 4)
    const taken = await leases()
    expect(taken.every(({ holder }) => holder === first)).toBe(true)
    const epochs = new Map(taken.map(({ name, epoch }) => [name, epoch]))
    await w.plane.loops.stop()
    await w.advance(second)
    const [next, ...others] = await holders()
    expect(others).toEqual([])
    expect(next).not.toBe(first)
    for (const { name, epoch } of await leases()) expect(epoch).toBeGreaterThan(epochs.get(name) ?? Infinity)
  })

  it('share hosts that are separate processes evenly, and one that ends leaves its part to the others', async () => {
    await w.plane.loops.stop()
    const joining = () => w.another(altered(w.sleds.asServer(), { isInside: () => false }))
    const ofHosts = async () => (await leases()).filter(({ name }) => name.startsWith('sled '))
    const parts = async () => {
      const byHolder = Map.groupBy(await ofHosts(), ({ holder }) => holder)
      return [...byHolder.values()].map(({ length }) => length).toSorted((a, b) => a - b)
    }
    const one = await joining()
    vm = instancesOf({ ...w, as: one.as })
    for (const name of ['web', 'db', 'job']) await vm.create(name, { start: true })
    await w.advance(4 * second)
    expect(await parts()).toEqual([4])
    const two = await joining()
    await w.advance(10 * second)
    expect(await parts()).toEqual([2, 2])
    await joining()
    await w.advance(10 * second)
    expect(await parts()).toEqual([1, 1, 2])
    await two.plane.loops.stop()
    await w.advance(4 * second)
    expect(await parts()).toEqual([2, 2])
    await w.advance(30 * second)
    expect(await parts()).toEqual([2, 2])
    for (const name of ['web', 'db', 'job'])
      expect(await rowOf(w, name)).toMatchObject({ runState: 'running', boot: 1 })
  })

  it('run an instance that is created through one without hosts', async () => {
    const other = await w.another()
    const client = other.as('projectCollaborator')
    await vm.create('web')
    await client.instanceStart({ params: { instance: 'web' }, query: { project: 'demo' } })
    await w.advance(4 * second)
    expect(await state()).toBe('running')
  })

  it('take the hosts of a frozen one over within five seconds, and the hosts refuse it when it continues', async () => {
    const holder = await freezableHolder()
    const ensure = vi.spyOn(w.sleds, 'ensure')
    await vm.create('web')
    holder.freeze()
    const next = await w.another()
    await next
      .as('projectCollaborator')
      .instanceStart({ params: { instance: 'web' }, query: { project: 'demo' } })
    await w.clock.advance(5 * second)
    expect(await state()).toBe('running')
    expect(ensure).toHaveBeenCalledTimes(1)
    const { sledId } = await rowOf(w, 'web')
    await expect(holder.sleds.remove('web', sledId ?? '', 1)).rejects.toMatchObject({
      name: 'DrivenElsewhere',
    })
    holder.thaw()
    await w.advance(5 * second)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 1 })
    expect(ensure).toHaveBeenCalledTimes(1)
    expect((await holders()).size).toBe(1)
  })

  it('start a boot once if its holder freezes in the middle of it', async () => {
    const holder = await freezableHolder()
    const next = await w.another()
    const ensure = vi.spyOn(w.sleds, 'ensure')
    await vm.create('web', { start: true })
    holder.freeze()
    await w.clock.advance(5 * second)
    expect(await state()).toBe('running')
    holder.thaw()
    await w.advance(5 * second)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 1 })
    expect(new Set(ensure.mock.calls.map(([, { boot }]) => boot))).toEqual(new Set([1]))
    await next.plane.loops.settled()
  })

  it('keep them while the holder waits for what the hosts have', async () => {
    const driver = w.sleds.asServer()
    const { promise: answers, resolve } = Promise.withResolvers<void>()
    let isSick = false
    thaw = resolve
    const hardware = async () => {
      if (isSick) await answers
      return driver.hardware()
    }
    const next = await w.another(altered(driver, { hardware }))
    isSick = true
    await w.plane.loops.stop()
    vm = instancesOf({ ...w, as: next.as })
    await vm.create('web', { start: true })
    await w.clock.advance(5 * second)
    const epochs = new Set((await leases()).map(({ epoch }) => epoch))
    await w.clock.advance(15 * second)
    expect((await leases()).map(({ epoch, until }) => [epochs.has(epoch), until > w.clock.now()])).toEqual(
      Array.from({ length: 6 }, () => [true, true]),
    )
    expect(await state()).toBe('running')
  })

  it('drive the others while the calls of one sled take long', async () => {
    const driver = w.sleds.asServer()
    const { promise: answers, resolve } = Promise.withResolvers<void>()
    thaw = resolve
    let slow: string | undefined
    const ensure: typeof driver.ensure = async (id, spec) => {
      slow ??= spec.sledId
      if (spec.sledId === slow) await answers
      return driver.ensure(id, spec)
    }
    const next = await w.another(altered(driver, { ensure }))
    await w.plane.loops.stop()
    vm = instancesOf({ ...w, as: next.as })
    await vm.create('web', { start: true })
    await w.clock.advance(2 * second)
    const others = ['one', 'two', 'three', 'four', 'five']
    for (const name of others) await vm.create(name, { start: true })
    await w.clock.advance(5 * second)
    const rows = await Promise.all(others.map((name) => rowOf(w, name)))
    const elsewhere = rows.filter(({ sledId }) => sledId !== slow)
    expect(elsewhere.length).toBeGreaterThan(0)
    for (const { runState } of elsewhere) expect(runState).toBe('running')
    expect(await state()).toBe('starting')
    thaw()
    await w.advance(5 * second)
    for (const name of ['web', ...others]) expect([name, await state(name)]).toEqual([name, 'running'])
  })

  it('lose no report that comes while no server drives the host', async () => {
    const holder = await freezableHolder()
    await w.another()
    await vm.create('web', { start: true })
    await w.advance(second)
    expect(await state()).toBe('running')
    // After failed attempts it would look minutes later.
    await forceRow(w, 'web', { dueAt: w.clock.now() + 300 * second })
    holder.freeze()
    const { id } = await rowOf(w, 'web')
    w.sleds.guestShutdown(id)
    await w.clock.advance(6 * second)
    expect(await state()).toBe('stopped')
    holder.thaw()
    await w.advance(second)
  })

  it('hold nothing while a server of an older version drives the hosts', async () => {
    let isDriving = true
    const { engine } = w.world
    const { plane } = await w.another(w.sleds.asServer(), {
      engine: { ...engine, mayDrive: () => isDriving },
    })
    await w.plane.loops.stop()
    await w.advance(second)
    const [sledId = ''] = await w.sleds.hosts()
    const held = hostLeasesOf(plane.world)
    expect([held.holds(sledId), held.has('hardware')]).toEqual([true, true])
    isDriving = false
    expect([held.holds(sledId), held.has('hardware'), held.sledIds()]).toEqual([false, false, []])
  })

  it('add a sled of a host that has joined, whichever is asked, and take no other hardware for missing', async () => {
    const now = w.clock.now()
    const host = { id: w.world.ids.uuid(), address: '192.0.2.8', port: 7400, fingerprint: 'a'.repeat(64) }
    const times = { state: 'up', timeStateChanged: now, timeCreated: now, timeModified: now } as const
    await inDb(w, (tx) =>
      tx
        .insertInto('host')
        .values({ ...host, ...times })
        .execute(),
    )
    const [board] = (await w.as('fleetAdmin').sledListUninitialized({ query: {} })).items
    const { part, serial } = board?.baseboard ?? { part: '', serial: '' }
    const driver = w.sleds.asServer()
    const isJoined = (sled: { serial: string }) => sled.serial === serial
    const all = async () => {
      const report = await driver.hardware()
      const sleds = report.sleds.map((sled) => (isJoined(sled) ? { ...sled, hostId: host.id } : sled))
      return { ...report, sleds, hosts: [host.id] }
    }
    await w.plane.loops.stop()
    const holder = await w.another(altered(driver, { hardware: all }))
    const joinedOnly = async () => {
      const report = await all()
      return { ...report, racks: [], sleds: report.sleds.filter(isJoined) }
    }
    const reach = { hardware: joinedOnly, isBoardInside: () => Promise.resolve(false) }
    const other = await w.another(altered(w.sleds.asServer(), reach), { hasHostsInside: true })
    const { id } = await other.as('fleetAdmin').sledAdd({ body: { part, serial } })
    const fleet = holder.as('fleetAdmin')
    expect(await fleet.hostView({ params: { hostId: host.id } })).toMatchObject({ sledIds: [id] })
    const { items } = await fleet.sledList({ query: {} })
    expect(items.filter(({ missingSince }) => missingSince !== null)).toEqual([])
    expect((await fleet.sledListUninitialized({ query: {} })).items).toEqual([])
    const within = await w.another(driver, { hasHostsInside: true })
    await expect(within.as('fleetAdmin').sledAdd({ body: { part, serial: 'other' } })).rejects.toMatchObject({
      status: 503,
    })
  })

  it('find the hardware of the first host without reaching a sled, and leave it to a server that does', async () => {
    await w.plane.loops.stop()
    const reachesNone = altered(w.sleds.asServer(), { hosts: () => Promise.resolve([]) })
    const bare = await w.another(reachesNone)
    const duty = () => hostLeasesOf(bare.plane.world).has('hardware')
    await w.advance(6 * second)
    expect(duty()).toBe(true)
    const board = (await bare.as('fleetAdmin').sledListUninitialized({ query: {} })).items
    expect(board).toHaveLength(1)
    await w.advance(10 * second)
    await w.advance(5 * second)
    expect(duty()).toBe(true)
    const reaches = await w.another()
    await w.advance(11 * second)
    expect(duty()).toBe(false)
    expect(hostLeasesOf(reaches.plane.world).has('hardware')).toBe(true)
    await w.advance(20 * second)
    expect(duty()).toBe(false)
  })

  it('say where the hardware is while hosts are inside of another one', async () => {
    await vm.create('web', { start: true })
    await w.advance(second)
    const other = await w.another(w.sleds, { hasHostsInside: true })
    const { id } = await rowOf(w, 'web')
    const url = `/v1/instances/${id}/serial-console?most_recent=100`
    const answer = await other.raw({ url, who: 'projectCollaborator' })
    expect(answer.status).toBe(503)
    expect(answer.json).toMatchObject({ message: expect.stringContaining('with another server') as string })
    const [through] = [await w.another()]
    expect(await through.raw({ url, who: 'projectCollaborator' })).toMatchObject({ status: 200 })
  })
})
