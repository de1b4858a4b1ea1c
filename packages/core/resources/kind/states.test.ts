/** Every action in every state, on the server, against the tables of the contract. */
import { GiB } from '@purlin/contract/rules/limits'
import {
  type Answer,
  diskAnswer,
  type DiskAction,
  type DiskState,
  diskStates,
  instanceAnswer,
  type InstanceAction,
  type InstanceState,
  instanceStates,
  snapshotAnswer,
  type SnapshotAction,
  type SnapshotState,
  snapshotStates,
} from '@purlin/contract/rules/states'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { addGroup, forceRow, instancesOf, rowOf, sledRows } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { sampleOnOtherEngines } from '#/testing/samples.ts'
import { blocks, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
let storage: ReturnType<typeof storageOf>
let count = 0
beforeAll(async () => {
  w = await openWorld()
  vm = instancesOf(w, 'admin')
  storage = storageOf(w, 'admin')
  await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow' })
})
afterAll(() => w.close())

const query = { project: 'demo' }
const fresh = (noun: string) => `${noun}-${++count}`

/** The action in every state but `destroyed`, which no row ever has, each on a separate subject. */
function cases<State extends string, Action extends string>(
  states: readonly State[],
  actions: Record<Action, unknown>,
): [Action, State][] {
  const visible = states.filter((state) => state !== 'destroyed')
  const all = (Object.keys(actions) as Action[]).flatMap((action) =>
    visible.map((state): [Action, State] => [action, state]),
  )
  return sampleOnOtherEngines(all)
}

/** The outcome of a request: `generation` shows whether it changed its subject. */
async function answerTo(
  work: () => Promise<unknown>,
  generation: () => Promise<number | undefined>,
): Promise<Answer> {
  const before = await generation()
  const isRefused = await work().then(
    () => false,
    (error: unknown) => {
      expect(error).toMatchObject({
        status: expect.toSatisfy((status) => [400, 409, 503].includes(status as number)),
      })
      return true
    },
  )
  if (isRefused) return 'refuse'
  return (await generation()) === before ? 'unchanged' : 'act'
}

describe('instances', () => {
  const admin = () => w.as('admin')
  const actions: Record<InstanceAction, (instance: string) => Promise<unknown>> = {
    start: (name) => vm.start(name),
    stop: (name) => vm.stop(name),
    forceStop: (name) => vm.forceStop(name),
    reboot: (name) => vm.reboot(name),
    move: async (name) =>
      w.as('fleetAdmin').instanceMove({ params: { instance: (await rowOf(w, name)).id }, query: {} }),
    delete: (name) => vm.remove(name),
    resize: (name) => vm.update(name, { ncpus: 2 }),
    updateBootDisk: (name) => vm.update(name, { bootDisk: `${name}-attached` }),
    attachDisk: (name) => vm.attach(name, `${name}-free`),
    detachDisk: (name) => vm.detach(name, `${name}-attached`),
    rewriteDisks: (name) =>
      admin().diskRollBack({
        params: { disk: `${name}-attached` },
        query,
        body: { snapshot: `${name}-before` },
      }),
    updateNic: (instance) =>
      admin().instanceNetworkInterfaceUpdate({
        params: { interface: 'net0' },
        query: { ...query, instance },
        body: { description: 'changed' },
      }),
    removeNic: (instance) =>
      admin().instanceNetworkInterfaceDelete({
        params: { interface: 'net0' },
        query: { ...query, instance },
      }),
    changeExternalIps: (instance) =>
      admin().instanceEphemeralIpAttach({ params: { instance }, query, body: {} }),
    serialConsole: (instance) =>
      admin().instanceSerialConsole({ params: { instance }, query: { ...query, fromStart: 0 } }),
    addToAffinityGroup: (instance) =>
      admin().antiAffinityGroupMemberInstanceAdd({ params: { antiAffinityGroup: 'apart', instance }, query }),
  }
  // These do not change the instance itself.
  const silent: readonly InstanceAction[] = ['changeExternalIps', 'serialConsole', 'addToAffinityGroup']

  async function instanceIn(runState: InstanceState): Promise<string> {
    const name = fresh('vm')
    await vm.create(name)
    await vm.makeDisk(`${name}-free`)
    await vm.makeDisk(`${name}-attached`)
    await storage.snapshot(`${name}-before`, `${name}-attached`)
    await vm.attach(name, `${name}-attached`)
    const [sled] = await sledRows(w)
    const isPlaced = !['creating', 'stopped', 'failed'].includes(runState)
    await forceRow(w, name, { runState, sledId: isPlaced ? sled!.id : null, dueAt: null })
    return name
  }
  const generationOf = (name: string) => () =>
    rowOf(w, name).then(
      (row) => row.generation,
      () => undefined,
    )

  it.each(cases(instanceStates, actions))('%s in state %s', async (action, state) => {
    const name = await instanceIn(state)
    const work = () =>
      actions[action](name).catch((error: unknown) => {
        // No sled has a machine for the row: that is found out only once the state allows the console.
        const isGone = action === 'serialConsole' && !['stopped', 'failed'].includes(state)
        if (!isGone || !String(error).endsWith('has no active serial console server')) throw error
      })
    const expected = instanceAnswer(action, state)
    const answer = await answerTo(work, generationOf(name))
    expect(answer).toBe(expected === 'act' && silent.includes(action) ? 'unchanged' : expected)
  })
})

describe('disks', () => {
  const actions: Record<DiskAction, (disk: string) => Promise<unknown>> = {
    delete: (disk) => storage.remove(disk),
    snapshot: (disk) => storage.snapshot(`${disk}-copy`, disk),
    grow: (disk) => w.as('admin').diskUpdate({ params: { disk }, query, body: { size: 2 * GiB } }),
    rollBack: (disk) =>
      w.as('admin').diskRollBack({ params: { disk }, query, body: { snapshot: `${disk}-before` } }),
    attach: (disk) => vm.attach(`${disk}-other`, disk),
    detach: (disk) => vm.detach(`${disk}-own`, disk),
    setAsBootDisk: (disk) => vm.update(`${disk}-own`, { bootDisk: disk }),
    startImport: (disk) => storage.start(disk),
    importBlocks: (disk) => storage.write(disk, 0, blocks(1)),
    stopImport: (disk) => storage.stop(disk),
    finalize: (disk) => storage.finalize(disk),
  }
  // These do not change the disk itself.
  const silent: readonly DiskAction[] = ['importBlocks', 'setAsBootDisk']

  async function diskIn(state: DiskState): Promise<string> {
    const name = fresh('disk')
    await storage.make(name)
    await storage.start(name)
    const { id: instanceId } = await vm.create(`${name}-own`)
    await vm.create(`${name}-other`)
    const isHeld = ['attaching', 'attached', 'detaching'].includes(state)
    const change = (set: { state: DiskState; instanceId?: string; slot?: number }) =>
      inDb(w, (tx) => tx.updateTable('disk').set(set).where('name', '=', name).execute())
    await change({ state: 'detached' })
    await storage.snapshot(`${name}-before`, name)
    await change({ state, ...(isHeld ? { instanceId, slot: 0 } : {}) })
    return name
  }
  const generationOf = (name: string) => () =>
    inDb(w, async (tx) => {
      const row = await tx.selectFrom('disk').select('generation').where('name', '=', name).executeTakeFirst()
      return row?.generation
    })

  it.each(cases(diskStates, actions))('%s in state %s', async (action, state) => {
    const name = await diskIn(state)
    const expected = diskAnswer(action, state)
    const answer = await answerTo(() => actions[action](name), generationOf(name))
    expect(answer).toBe(expected === 'act' && silent.includes(action) ? 'unchanged' : expected)
  })
})

describe('snapshots', () => {
  const actions: Record<SnapshotAction, (snapshot: string) => Promise<unknown>> = {
    delete: (snapshot) => storage.removeSnapshot(snapshot),
    createDisk: async (snapshot) => {
      const { id: snapshotId } = await storage.viewSnapshot(snapshot)
      return storage.make(`${snapshot}-disk`, { type: 'snapshot', snapshotId })
    },
    createImage: async (snapshot) =>
      storage.image(`${snapshot}-image`, (await storage.viewSnapshot(snapshot)).id),
  }

  async function snapshotIn(state: SnapshotState): Promise<string> {
    const name = fresh('snapshot')
    await vm.makeDisk(`${name}-of`)
    await storage.snapshot(name, `${name}-of`)
    await inDb(w, (tx) => tx.updateTable('snapshot').set({ state }).where('name', '=', name).execute())
    return name
  }

  it.each(cases(snapshotStates, actions))('%s in state %s', async (action, state) => {
    const name = await snapshotIn(state)
    // Snapshots have no generation: an action that is carried out is one that is not refused.
    const answer = await answerTo(
      () => actions[action](name),
      () => Promise.resolve(0),
    )
    expect(answer).toBe(snapshotAnswer(action, state) === 'refuse' ? 'refuse' : 'unchanged')
  })
})
