import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instancesOf, rowOf, setQuota, sledRows, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder, dump } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'
import { changeInstance } from './change.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

const used = async () => (await w.as('noRole').utilizationView({ query: {} })).provisioned
const running = async (name = 'web') => {
  await vm.create(name, { start: true, ncpus: 2, memory: 4 * GiB })
  await w.advance(200)
  expect(await vm.view(name)).toMatchObject({ runState: 'running' })
}

/** Forces an instance into a state; if the state needs a machine, with a reservation on a sled. */
describe('the charge and the reservation', () => {
  const reserved = async () => {
    const rows = await sledRows(w)
    return {
      threads: rows.reduce((all, one) => all + one.usedThreads, 0),
      memory: rows.reduce((all, one) => all + one.usedMemory, 0),
    }
  }
  const none = { threads: 0, memory: 0 }
  const held = { threads: 2, memory: 4 * GiB }

  it('exist exactly while a machine does', async () => {
    const project = () =>
      inDb(w, (tx) =>
        tx
          .selectFrom('usage')
          .selectAll()
          .where('id', '=', w.ids['demo'] ?? '')
          .executeTakeFirstOrThrow(),
      )
    const seen: [string, object, number | bigint, number | bigint][] = []
    const look = async () => {
      const { runState } = await vm.view('web')
      seen.push([runState, await reserved(), (await used()).cpus, (await project()).memory])
    }
    await vm.create('web', { ncpus: 2, memory: 4 * GiB })
    await look()
    await vm.start('web')
    await look()
    await w.advance(200)
    await look()
    await vm.reboot('web')
    await look()
    await w.advance(200)
    await vm.stop('web')
    await look()
    await w.advance(200)
    await look()
    await vm.remove('web')
    expect(seen).toEqual([
      ['stopped', none, 0, 0],
      ['starting', held, 2, 4 * GiB],
      ['running', held, 2, 4 * GiB],
      ['rebooting', held, 2, 4 * GiB],
      ['stopping', held, 2, 4 * GiB],
      ['stopped', none, 0, 0],
    ])
    expect(await reserved()).toEqual(none)
    expect(await used()).toMatchObject({ cpus: 0, memory: 0 })
  })

  it('an explicit start beyond the quota is refused with 507 and changes nothing', async () => {
    await running('first')
    await vm.create('web', { ncpus: 3 })
    await setQuota(w, { quotaCpus: 4 })
    const before = await dump(w)
    await expect(vm.start('web')).rejects.toMatchObject({
      status: 507,
      code: 'InsufficientCapacity',
      message: expect.stringMatching(
        /^Insufficient capacity: vCPU Limit Exceeded: 3 wanted, 2 left of 4/,
      ) as string,
    })
    expect(await dump(w)).toEqual(before)
  })

  it('an explicit start without a sled with enough capacity is refused with 507 and changes nothing', async () => {
    await vm.create('web', { memory: 900 * GiB })
    const before = await dump(w)
    await expect(vm.start('web')).rejects.toMatchObject({
      status: 507,
      message: expect.stringContaining(
        'Failed to place instance: Could not find any valid sled on which this instance can be placed',
      ) as string,
    })
    expect(await dump(w)).toEqual(before)
  })
})

describe('competing requests', () => {
  it('a write of an older state loses with 409 and changes nothing', async () => {
    await vm.create('web')
    const row = await rowOf(w, 'web')
    const write = () => inDb(w, (tx) => changeInstance(tx, row, { now: 1, set: { memory: 2 * GiB } }))
    expect(await write()).toMatchObject({ memory: 2 * GiB, generation: row.generation + 1 })
    await expect(write()).rejects.toMatchObject({
      status: 409,
      code: 'Conflict',
      message: 'instance was changed by another request, try again',
    })
    expect(await rowOf(w, 'web')).toMatchObject({ generation: row.generation + 1 })
  })

  it('two concurrent starts: one boot', async () => {
    await vm.create('web')
    const views = await Promise.all([vm.start('web'), vm.start('web')])
    expect(views.map((view) => view.runState)).toEqual(['starting', 'starting'])
    await w.advance(200)
    expect(await rowOf(w, 'web')).toMatchObject({ boot: 1, runState: 'running' })
    expect(await disorder(w)).toEqual([])
  })

  it('concurrent start and delete: one of them runs completely', async () => {
    for (let i = 0; i < 10; i++) {
      await vm.create('web')
      const both = [() => vm.start('web'), () => vm.remove('web')]
      const outcomes = await Promise.allSettled((i % 2 ? both : both.toReversed()).map((one) => one()))
      expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
      for (const one of outcomes)
        if (one.status === 'rejected') expect([400, 404]).toContain((one.reason as { status: number }).status)
      await w.advance(200)
      expect(await disorder(w)).toEqual([])
      const left = await vm.view('web').catch(() => null)
      if (!left) continue
      await vm.stop('web')
      await w.advance(200)
      await vm.remove('web')
    }
  })

  it('many concurrent creates of one name: one instance', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 8 }, () => vm.create('web')))
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(1)
    for (const one of outcomes)
      if (one.status === 'rejected')
        expect(one.reason).toMatchObject({ status: 400, code: 'ObjectAlreadyExists' })
    expect(await disorder(w)).toEqual([])
  })

  it('starts at the edge of the quota: as many as fit', async () => {
    await setQuota(w, { quotaCpus: 3 })
    const names = ['a', 'b', 'c', 'd', 'e']
    for (const name of names) await vm.create(name)
    const outcomes = await Promise.allSettled(names.map((name) => vm.start(name)))
    expect(outcomes.filter((one) => one.status === 'fulfilled')).toHaveLength(3)
    for (const one of outcomes)
      if (one.status === 'rejected') expect(one.reason).toMatchObject({ status: 507 })
    expect((await used()).cpus).toBe(3)
    expect(await disorder(w)).toEqual([])
  })
})
