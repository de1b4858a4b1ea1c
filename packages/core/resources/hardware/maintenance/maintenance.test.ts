import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { SledDriver } from '#/ports.ts'
import { addGroup, endingWhen, instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { setLease } from '#/db/rows/leases.ts'
import { leaseOf } from '../leases/host-epochs.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
const fleet = () => w.as('fleetAdmin')
const at = (sledId: string) => ({ params: { sledId } })
const refusal = (status: number, message: string) =>
  expect.objectContaining({ status, message: expect.stringContaining(message) })

beforeEach(async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 3, cpuFamilies: ['amd_milan'] } })
  vm = instancesOf(w, 'admin')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const idsOfSleds = async () => (await sledRows(w)).map(({ id }) => id)
const policy = (sledId: string, state: 'provisionable' | 'non_provisionable') =>
  fleet().sledSetProvisionPolicy({ ...at(sledId), body: { state } })
/** Instances that run on one sled: the others are closed while they start. */
async function runOn(sledId: string, names: readonly string[], more: Parameters<typeof vm.create>[1] = {}) {
  const others = (await idsOfSleds()).filter((id) => id !== sledId)
  for (const id of others) await policy(id, 'non_provisionable')
  for (const name of names) await vm.create(name, { start: true, ...more })
  await w.advance(200)
  for (const id of others) await policy(id, 'provisionable')
}
const begin = (sledId: string, stopUnmovable = false) =>
  fleet().sledMaintenanceStart({ ...at(sledId), body: { stopUnmovable } })
const sledOf = async (name: string) => (await rowOf(w, name)).sledId
const maintenanceOf = async (sledId: string) => (await fleet().sledView(at(sledId))).maintenance
const itemsOf = async (task: string) =>
  (await fleet().taskItemList({ params: { task }, query: {} })).items.map(({ name, result, message }) => ({
    name,
    result,
    message,
  }))

describe('maintenance of a sled', () => {
  it('moves instances between the sleds of one host, and of hosts with real machines that run alike', async () => {
    const [here = '', ...others] = await idsOfSleds()
    await runOn(here, ['a'])
    const reason = 'No host with room can take a running instance from this one'
    const planned = async () => (await fleet().sledMaintenancePlan({ ...at(here), query: {} })).items
    const refused = [{ to: null, reason: expect.stringContaining(reason) as string }]
    // Sleds inside of two servers.
    await inDb(w, (tx) => setLease(tx, leaseOf(here), { holder: 'another server', until: 0 }))
    expect(await planned()).toMatchObject(refused)
    await inDb(w, (tx) => tx.deleteFrom('lease').where('name', '=', leaseOf(here)).execute())
    expect(await planned()).toMatchObject([{ reason: null }])
    const hostId = w.world.ids.uuid()
    await inDb(w, (tx) => tx.updateTable('sled').set({ hostId }).where('id', 'in', others).execute())
    expect(await planned()).toMatchObject(refused)
    const instance = (await vm.view('a')).id
    await expect(fleet().instanceMove({ params: { instance }, query: {} })).rejects.toEqual(
      refusal(507, reason),
    )
    const own = w.world.ids.uuid()
    const change = (ids: string[], set: { hostId?: string; hostJson?: string }) =>
      inDb(w, (tx) => tx.updateTable('sled').set(set).where('id', 'in', ids).execute())
    const runs = (accelerator: string, networkMode = 'outbound', tunnelAddress?: string) => ({
      hostJson: JSON.stringify({ accelerator, networkMode, tunnelAddress }),
    })
    // Simulated machines stay within their host, and emulated ones among their like.
    await change([here], { hostId: own })
    expect(await planned()).toMatchObject(refused)
    await change([here], runs('emulation'))
    await change(others, runs('kvm'))
    expect(await planned()).toMatchObject(refused)
    await change(others, runs('emulation'))
    expect(await planned()).toMatchObject([{ reason: null }])
    // The networks of its VPC end at the host, unless a tunnel leads to the other one.
    await change([here, ...others], runs('emulation', 'enforced', '192.0.2.1'))
    expect(await planned()).toMatchObject([{ reason: null }])
    await change(others, runs('emulation', 'enforced'))
    expect(await planned()).toMatchObject(refused)
    await change([here], runs('emulation', 'enforced'))
    const nics = await inDb(w, async (tx) => {
      const all = await tx.selectFrom('networkInterface').select(['id', 'instanceId']).execute()
      await tx.updateTable('networkInterface').set({ instanceId: w.world.ids.uuid() }).execute()
      return all
    })
    expect(await planned()).toMatchObject([{ reason: null }])
    for (const { id, instanceId } of nics)
      await inDb(w, (tx) =>
        tx.updateTable('networkInterface').set({ instanceId }).where('id', '=', id).execute(),
      )
    await change([here], { hostId, ...runs('simulated') })
    expect(await planned()).toMatchObject([{ reason: null }])
    await fleet().instanceMove({ params: { instance }, query: {} })
    await w.advance(2000)
    expect(others).toContain(await sledOf('a'))
  })

  it('moves a guest that has the processor of its host only to a sled with the same one', async () => {
    const [here = '', ...others] = await idsOfSleds()
    await runOn(here, ['a'])
    const setCpu = (ids: string[], cpuModel: string) =>
      inDb(w, async (tx) => {
        const rows = await tx.selectFrom('sled').select(['id', 'hostJson']).where('id', 'in', ids).execute()
        for (const { id, hostJson } of rows) {
          const details = { ...(JSON.parse(hostJson ?? '{}') as object), cpuModel }
          const set = { cpuFamily: 'other' as const, hostJson: JSON.stringify(details) }
          await tx.updateTable('sled').set(set).where('id', '=', id).execute()
        }
      })
    const reason = 'moves only to a sled with the same processor'
    const refused = [{ to: null, reason: expect.stringContaining(reason) as string }]
    const planned = async () => (await fleet().sledMaintenancePlan({ ...at(here), query: {} })).items
    const instance = (await vm.view('a')).id
    const move = () => fleet().instanceMove({ params: { instance }, query: {} })
    await setCpu([here], 'Xeon of 2019')
    expect(await planned()).toMatchObject(refused)
    await setCpu(others, 'Xeon of 2024')
    expect(await planned()).toMatchObject(refused)
    await expect(move()).rejects.toEqual(refusal(507, reason))
    await setCpu(others.slice(0, 1), 'Xeon of 2019')
    expect(await planned()).toMatchObject([{ to: others[0], reason: null }])
    await move()
    await w.advance(2000)
    expect(await sledOf('a')).toBe(others[0])
  })

  it('closes it, moves its instances while they run, and gives it back', async () => {
    const [here = ''] = await idsOfSleds()
    const names = ['a', 'b', 'c']
    await runOn(here, names)
    const started = await begin(here)
    expect(started).toMatchObject({ state: 'evacuating', remaining: 3 })
    await w.settle()
    expect((await vm.view('a')).runState).toBe('migrating')
    expect((await fleet().sledInstanceList({ ...at(here), query: {} })).items[0]).toMatchObject({
      activeSledId: here,
      migrationId: expect.any(String),
      state: 'migrating',
    })
    const items = await itemsOf(started.taskId ?? '')
    expect(items.map(({ name, result }) => `${name} ${result}`).toSorted()).toEqual(
      names.map((name) => `${name} running`),
    )
    await w.advance(5_000)
    for (const name of names) {
      expect((await vm.view(name)).runState).toBe('running')
      expect(await sledOf(name)).not.toBe(here)
      expect(await rowOf(w, name)).toMatchObject({ boot: 1, migrationId: null, migrationSledId: null })
    }
    expect(await maintenanceOf(here)).toMatchObject({ state: 'empty', remaining: 0 })
    const task = await fleet().taskView({ params: { task: started.taskId ?? '' } })
    expect(task).toMatchObject({ state: 'completed', succeeded: 3, running: 0, pending: 0 })
    await fleet().sledMaintenanceEnd(at(here))
    expect(await fleet().sledView(at(here))).toMatchObject({
      maintenance: null,
      policy: { provisionPolicy: 'provisionable' },
    })
  })

  it('a plan spreads the instances over the other sleds, and so it happens', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['a', 'b', 'c', 'd', 'e'], { ncpus: 8, memory: 8 * GiB })
    const plan = (await fleet().sledMaintenancePlan({ ...at(here), query: {} })).items
    expect(plan.map(({ reason }) => reason)).toEqual([null, null, null, null, null])
    await begin(here)
    await w.advance(5_000)
    const places = await Promise.all(plan.map(({ name }) => sledOf(name)))
    const planned = plan.map(({ to }) => to)
    for (const id of new Set(planned))
      expect(places.filter((one) => one === id)).toEqual(planned.filter((one) => one === id))
    expect(new Set(places).size).toBe(2)
  })

  it('an instance that cannot be moved says why, and is stopped only with consent', async () => {
    const [here = '', there = '', last = ''] = await idsOfSleds()
    await runOn(here, ['large'], { ncpus: 64, memory: 500 * GiB })
    await runOn(there, ['t'], { ncpus: 48, memory: 500 * GiB })
    await runOn(last, ['l'], { ncpus: 48, memory: 500 * GiB })
    const [planned] = (await fleet().sledMaintenancePlan({ ...at(here), query: {} })).items
    expect(planned).toMatchObject({
      to: null,
      reason: 'No other sled has 64 vCPUs and 500 GiB of memory free. Move or stop other instances',
    })
    const { taskId } = await begin(here)
    await w.advance(5_000)
    expect(await itemsOf(taskId ?? '')).toMatchObject([
      {
        name: 'large',
        result: 'failed',
        message:
          'Insufficient capacity: Failed to move instance: No other sled has 64 vCPUs and 500 GiB of memory free. ' +
          'Move or stop other instances, or stop it and start it again later.',
      },
    ])
    expect((await vm.view('large')).runState).toBe('running')
    expect(await maintenanceOf(here)).toMatchObject({ state: 'incomplete', remaining: 1 })
    const second = await begin(here, true)
    await w.advance(5_000)
    expect(await itemsOf(second.taskId ?? '')).toMatchObject([{ name: 'large', result: 'succeeded' }])
    expect(await rowOf(w, 'large')).toMatchObject({ runState: 'stopped', intended: 'stopped' })
    expect(await maintenanceOf(here)).toMatchObject({ state: 'empty' })
  })

  it('groups hold throughout', async () => {
    const [here = '', there = '', last = ''] = await idsOfSleds()
    await runOn(there, ['t'])
    await runOn(last, ['l'])
    await runOn(here, ['apart', 'x', 'y'])
    await addGroup(w, { name: 'spread', kind: 'anti_affinity', policy: 'fail', members: ['apart', 't', 'l'] })
    await addGroup(w, { name: 'pair', kind: 'affinity', policy: 'fail', members: ['x', 'y'] })
    const { taskId } = await begin(here)
    await w.advance(5_000)
    const items = await itemsOf(taskId ?? '')
    const reasons = new Map(items.map(({ name, message }) => [name, message]))
    expect(reasons.get('apart')).toContain('"spread"')
    expect(reasons.get('x')).toContain('"pair". The others are on this sled.')
    for (const name of ['apart', 'x', 'y']) expect(await sledOf(name)).toBe(here)
  })

  it('can be stopped half-way: what has begun ends, the rest stays', async () => {
    const [here = ''] = await idsOfSleds()
    const names = Array.from({ length: 12 }, (_, i) => `vm-${String(i).padStart(2, '0')}`)
    await runOn(here, names)
    const { taskId } = await begin(here)
    await w.settle()
    await fleet().taskCancel({ params: { task: taskId ?? '' } })
    await w.advance(5_000)
    const task = await fleet().taskView({ params: { task: taskId ?? '' } })
    expect(task).toMatchObject({ state: 'canceled', succeeded: 8, canceled: 4, running: 0 })
    expect(await maintenanceOf(here)).toMatchObject({ state: 'incomplete', remaining: 4 })
    const again = await fleet().taskRetry({ params: { task: taskId ?? '' } })
    await w.advance(5_000)
    expect(await fleet().taskView({ params: { task: again.id } })).toMatchObject({ succeeded: 4 })
    expect(await maintenanceOf(here)).toMatchObject({ state: 'empty' })
  })

  it('a migration that fails leaves the instance where it is', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web'])
    w.sleds.failNextMigration((await rowOf(w, 'web')).id, 'the memory of the guest changes too fast')
    const { taskId } = await begin(here)
    await w.advance(5_000)
    expect(await itemsOf(taskId ?? '')).toEqual([
      { name: 'web', result: 'failed', message: 'the memory of the guest changes too fast' },
    ])
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId: here, migrationSledId: null })
  })

  it('a sled that goes away during a migration takes nothing with it', async () => {
    const [here = '', ...others] = await idsOfSleds()
    await runOn(here, ['web'])
    await begin(here)
    await w.settle()
    for (const id of others) w.sleds.loseSled(id)
    await w.advance(10_000)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', sledId: here })
    for (const id of others) w.sleds.restoreSled(id)
  })

  it('a stop or reset on the way is done where the instance arrives', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web', 'db'])
    await begin(here)
    await w.settle()
    await vm.stop('web')
    await vm.reboot('db')
    expect((await vm.view('db')).runState).toBe('migrating')
    await w.advance(5_000)
    expect((await vm.view('web')).runState).toBe('stopped')
    expect(await rowOf(w, 'db')).toMatchObject({ runState: 'running', reset: 1 })
    expect(await sledOf('db')).not.toBe(here)
    expect(await maintenanceOf(here)).toMatchObject({ state: 'empty' })
  })

  it('an instance that still starts is moved once it runs', async () => {
    const [here = '', ...others] = await idsOfSleds()
    for (const id of others) await policy(id, 'non_provisionable')
    await vm.create('slow', { start: true })
    await w.settle()
    expect((await vm.view('slow')).runState).toBe('starting')
    for (const id of others) await policy(id, 'provisionable')
    const { taskId } = await begin(here)
    await w.advance(20_000)
    expect(await itemsOf(taskId ?? '')).toMatchObject([{ name: 'slow', result: 'succeeded' }])
    expect(await sledOf('slow')).not.toBe(here)
  })

  it('refuses a second one, and the policy that it has set', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web'])
    await begin(here)
    await expect(begin(here)).rejects.toEqual(refusal(409, 'is being emptied already'))
    await expect(policy(here, 'provisionable')).rejects.toEqual(refusal(400, 'in maintenance'))
    await w.advance(5_000)
    await expect(w.as('admin').sledMaintenanceEnd(at(here))).rejects.toEqual(refusal(404, 'not found'))
  })

  it('other operators see its task, and may cancel it; others do not', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web'])
    const { taskId } = await begin(here)
    const one = { params: { task: taskId ?? '' } }
    await expect(w.as('admin').taskView(one)).resolves.toMatchObject({ id: taskId })
    await expect(w.as('stranger').taskView(one)).rejects.toEqual(refusal(404, 'not found'))
    await w.advance(5_000)
  })
})

describe('taking a sled out of service for good', () => {
  it('it must be empty', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web'])
    await expect(fleet().sledExpunge(at(here))).rejects.toEqual(refusal(400, 'begin its maintenance'))
    await begin(here)
    await w.advance(5_000)
    expect(await fleet().sledExpunge(at(here))).toMatchObject({
      policy: { kind: 'expunged' },
      state: 'decommissioned',
      maintenance: null,
    })
    expect((await fleet().sledList({ query: {} })).items).toHaveLength(2)
    await w.settle()
    const [again] = (await fleet().sledListUninitialized({ query: {} })).items
    const { id } = await fleet().sledAdd({
      body: { part: again?.baseboard.part ?? '', serial: again?.baseboard.serial ?? '' },
    })
    expect(id).not.toBe(here)
  })

  it('the instances of a missing one restart elsewhere', async () => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['web'])
    w.sleds.loseSled(here)
    await w.settle()
    await fleet().sledExpunge(at(here))
    await w.advance(10_000)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'running', boot: 2 })
    expect(await sledOf('web')).not.toBe(here)
    w.sleds.restoreSled(here)
    await w.advance(1_000)
    expect((await w.sleds.hardware()).sleds.map(({ id }) => id)).not.toContain(here)
  })
})

describe('a server that ends during a migration', () => {
  /** A driver that fails from its nth call on, as if the process had ended there. */
  function endingAt(n: number, sleds: SledDriver): SledDriver {
    let calls = 0
    return {
      ...endingWhen(() => ++calls > n, sleds),
      // It hears nothing after its end.
      watch: (onChange) => sleds.watch((status) => void (calls <= n && onChange(status))),
    }
  }

  it.each([0, 1, 2, 3, 4, 5])('after %d calls leaves each instance running once', async (n) => {
    const [here = ''] = await idsOfSleds()
    await runOn(here, ['a', 'b'])
    await w.plane.loops.stop()
    const ending = await w.another(endingAt(n, w.sleds))
    await ending.as('fleetAdmin').sledMaintenanceStart({ ...at(here), body: {} })
    await w.advance(150)
    await ending.plane.loops.stop()
    w.errors.length = 0
    await w.another()
    await w.advance(60_000)
    for (const name of ['a', 'b']) {
      const row = await rowOf(w, name)
      expect(row).toMatchObject({ runState: 'running', boot: 1, migrationId: null })
      expect(row.sledId).not.toBe(here)
      for (const id of await idsOfSleds())
        expect((await w.sleds.inspect(row.id, id))?.state ?? null, name).toBe(
          id === row.sledId ? 'running' : null,
        )
    }
    expect(await maintenanceOf(here)).toMatchObject({ state: 'empty' })
  })
})
