import { GiB } from '@purlin/contract/rules/limits'
import { createSimulatedSleds } from '@purlin/sleds/sim'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { altered, forceRow, instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1000
const minute = 60 * second
const state = async (name = 'web') => (await vm.view(name)).runState
const running = async (name: string, more: Parameters<typeof vm.create>[1] = {}) => {
  await vm.create(name, { start: true, ...more })
  await w.advance(200)
  expect(await state(name)).toBe('running')
}

describe('a server that starts again finds its instances and brings each where it should be within five seconds', () => {
  it('running: found lost, failed, started again', async () => {
    await running('web')
    await w.restart()
    await w.advance(5 * second)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 2 })
    expect((await vm.view('web')).timeLastAutoRestarted).not.toBeNull()
  })

  it('running with the policy never: failed', async () => {
    await running('web', { autoRestartPolicy: 'never' })
    await w.restart()
    await w.advance(5 * second)
    expect(await vm.view('web')).toMatchObject({
      runState: 'failed',
      lastError: 'the sled no longer holds this machine',
    })
  })

  it('creating, starting, rebooting: running', async () => {
    await running('rebooting')
    await vm.create('starting', { start: true })
    await w.settle()
    expect(await state('starting')).toBe('starting')
    await vm.reboot('rebooting')
    // No server has claimed this one yet.
    await w.plane.loops.stop()
    await vm.create('creating', { start: true })
    expect(await state('creating')).toBe('creating')
    await w.restart()
    await w.advance(5 * second)
    for (const name of ['creating', 'starting', 'rebooting'])
      expect([name, await state(name)]).toEqual([name, 'running'])
  })

  it('stopping: stopped', async () => {
    await running('web')
    await vm.stop('web')
    await w.restart()
    await w.advance(5 * second)
    expect(await state()).toBe('stopped')
  })

  it('stopped: stopped, failed and waiting: restarted when its time comes', async () => {
    await vm.create('stopped')
    await running('web')
    for (let i = 0; i < 2; i++) {
      w.sleds.crash((await vm.view('web')).id, 'smoke')
      await w.advance(200)
    }
    expect(await state()).toBe('failed')
    await w.restart()
    await w.advance(minute)
    expect(await state()).toBe('failed')
    await w.advance(5 * minute)
    expect(await state()).toBe('running')
    expect(await state('stopped')).toBe('stopped')
  })

  it('sleds keep their policy and reservations; a larger rack adds to them', async () => {
    await running('web')
    const [first] = await sledRows(w)
    await inDb(w, (tx) =>
      tx
        .updateTable('sled')
        .set({ provisionPolicy: 'non_provisionable' })
        .where('id', '=', first?.id ?? '')
        .execute(),
    )
    const before = await sledRows(w)
    await w.plane.loops.stop()
    await w.another(createSimulatedSleds({ clock: w.clock, rack: { sleds: 6 }, timings: swift }))
    const after = await sledRows(w)
    expect(after).toHaveLength(6)
    for (const sled of before)
      expect(after).toContainEqual({ ...sled, hostJson: expect.any(String), timeReported: w.clock.now() })
  })

  it('sessions outlive it', async () => {
    await w.restart()
    expect(await w.as('viewer').currentUserView({ query: {} })).toMatchObject({ displayName: 'viewer' })
  })
})

describe('several control planes on one database', () => {
  it('each shows the writes of the other', async () => {
    const other = await w.another()
    await vm.create('web')
    const target = { params: { instance: 'web' }, query: { project: 'demo' } }
    expect(await other.as('viewer').instanceView(target)).toMatchObject({ runState: 'stopped' })
    await other.as('admin').instanceStart(target)
    await w.advance(200)
    expect(await state()).toBe('running')
    expect(await other.as('viewer').instanceView(target)).toMatchObject({ runState: 'running' })
  })

  it('each requested state is reached once, whichever server sees it first', async () => {
    const planes = [w, await w.another(), await w.another()]
    const names = Array.from({ length: 24 }, (_, i) => `vm-${i}`)
    const query = { project: 'demo' }
    await Promise.all(
      names.map(async (name, i) =>
        planes[i % 3]?.as('admin').instanceCreate({
          query,
          body: {
            name,
            description: '',
            ncpus: 1,
            memory: GiB,
            hostname: name,
            networkInterfaces: { type: 'none' },
          },
        }),
      ),
    )
    await w.advance(minute)
    for (const name of names) expect(await rowOf(w, name)).toMatchObject({ runState: 'running', boot: 1 })
    await Promise.all(
      names.map(async (name, i) =>
        planes[(i + 1) % 3]?.as('admin').instanceStop({ params: { instance: name }, query }),
      ),
    )
    await w.advance(minute)
    for (const name of names) expect(await state(name)).toBe('stopped')
    for (const { id } of (await w.sleds.hardware()).sleds)
      for (const name of names) expect(await w.sleds.inspect((await rowOf(w, name)).id, id)).toBeNull()
  })

  it('one of them may end: the others continue its work', async () => {
    const other = await w.another()
    await vm.create('web', { start: true })
    await w.plane.loops.stop()
    await w.advance(31 * second)
    expect(
      await other.as('viewer').instanceView({ params: { instance: 'web' }, query: { project: 'demo' } }),
    ).toMatchObject({ runState: 'running' })
  })

  it('a start that one of them still carries out while another stops it leaves no machine behind', async () => {
    const { sleds } = w
    const unblocked = Promise.withResolvers<void>()
    const slow = altered(sleds, {
      ensure: async (id, spec) => {
        await unblocked.promise
        await sleds.ensure(id, spec)
      },
    })
    await w.plane.loops.stop()
    const first = await w.another(slow)
    await vm.create('web')
    const { id } = await first
      .as('admin')
      .instanceStart({ params: { instance: 'web' }, query: { project: 'demo' } })
    await w.quiet()
    const { sledId } = await rowOf(w, 'web')
    const second = await w.another()
    await second.as('admin').instanceStop({ params: { instance: 'web' }, query: { project: 'demo' } })
    await w.quiet()
    expect(await state()).toBe('stopped')
    unblocked.resolve()
    await w.advance(minute)
    expect(await state()).toBe('stopped')
    expect(await sleds.inspect(id, sledId ?? '')).toBeNull()
  })

  it('a claimed instance whose server dies is taken up by another', async () => {
    await vm.create('web')
    await w.plane.loops.stop()
    await vm.start('web')
    // As if the first server had claimed it and died before it called the sled.
    await forceRow(w, 'web', { dueAt: w.clock.now() + 30 * second })
    const other = await w.another()
    await w.advance(5 * second)
    expect(
      await other.as('viewer').instanceView({ params: { instance: 'web' }, query: { project: 'demo' } }),
    ).toMatchObject({ runState: 'running' })
  })
})
