import type { VmSpec } from '#/ports.ts'
import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { instancesOf, rowOf, setQuota, swift } from '#/testing/machines.ts'
import { addFloatingIp, inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
/** Error lines that a test expects; any other fails it. */
let expected: RegExp[]
beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  expected = []
})
afterEach(async () => {
  expect(w.errors.filter((line) => !expected.some((one) => one.test(line)))).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const second = 1000
const minute = 60 * second
const cooldown = 5 * minute
const state = async (name = 'web') => (await vm.view(name)).runState
const idOf = async (name = 'web') => (await vm.view(name)).id
const running = async (name = 'web', more: Parameters<typeof vm.create>[1] = {}) => {
  await vm.create(name, { start: true, ...more })
  await w.advance(200)
  expect(await state(name)).toBe('running')
  return rowOf(w, name)
}
const crash = async (reason = 'smoke', name = 'web') => {
  w.sleds.crash(await idOf(name), reason)
  await w.settle()
}

describe('a start', () => {
  it('passes through starting to running, and the machine matches the request', async () => {
    const specs: VmSpec[] = []
    const ensure = w.sleds.ensure.bind(w.sleds)
    w.sleds.ensure = (id, spec) => {
      specs.push(spec)
      return ensure(id, spec)
    }
    await w.as('projectCollaborator').currentUserSshKeyCreate({
      body: {
        name: 'mine',
        description: '',
        publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g\n',
      },
    })
    await vm.makeDisk('data')
    const { id: bootDiskId } = await vm.makeDisk('boot', 2)
    await vm.create('web', {
      ncpus: 2,
      memory: 3 * GiB,
      hostname: 'web.internal',
      userData: Uint8Array.from([1, 2, 3]),
      start: true,
      bootDisk: { type: 'attach', name: 'boot' },
      disks: [{ type: 'attach', name: 'data' }],
    })
    await w.advance(200)
    const { sledId } = await rowOf(w, 'web')
    expect(specs[0]).toMatchObject({
      sledId,
      boot: 1,
      reset: 0,
      name: 'web',
      hostname: 'web.internal',
      ncpus: 2,
      cpuPlatform: 'amd_milan',
      memory: 3 * GiB,
      bootDiskId,
      disks: [
        { name: 'boot', size: 2 * GiB, blockSize: 512, slot: 0 },
        { name: 'data', size: GiB, blockSize: 512, slot: 1 },
      ],
      nics: [{ id: expect.any(String), mac: expect.stringMatching(/^A8:40:25:F[0-9A-E]:/), slot: 0 }],
      userData: Uint8Array.from([1, 2, 3]),
      sshPublicKeys: [expect.stringMatching(/^ssh-ed25519 \S+$/)],
    })
    expect(specs[0]?.nics.map(({ id }) => w.sleds.interfaceOf(id))).toMatchObject([
      {
        ip: '172.30.0.5',
        primary: true,
        transitIps: [],
        mac: expect.stringMatching(/^A8:40:25:F[0-9A-E]:/i) as string,
      },
    ])
    expect(await state()).toBe('running')
  })

  it('says which interfaces have an address of IPv6', async () => {
    const ensure = vi.spyOn(w.sleds, 'ensure')
    const { ipv6Block } = await w.as('projectCollaborator').vpcSubnetView({
      params: { subnet: 'default' },
      query: { project: 'demo', vpc: 'default' },
    })
    const nic = { name: 'six', description: '', vpcName: 'default', subnetName: 'default' }
    const params = [{ ...nic, ip: ipv6Block.replace('::/64', '::9') }]
    await running('web', { networkInterfaces: { type: 'create', params } })
    expect(ensure.mock.calls[0]?.[1].nics).toMatchObject([{ slot: 0, isIpv6: true }])
  })

  it('the time of the run state moves with each state', async () => {
    const { timeRunStateUpdated } = await vm.create('web')
    await w.advance(second)
    const starting = await vm.start('web')
    expect(starting.timeRunStateUpdated.getTime()).toBe(timeRunStateUpdated.getTime() + second)
    await w.advance(200)
    const up = await vm.view('web')
    expect(up.timeRunStateUpdated.getTime()).toBe(timeRunStateUpdated.getTime() + second + 100)
    expect(up.timeModified).toEqual(up.timeCreated)
  })

  it('that fails on the sled is failed with its reason, and is retried immediately', async () => {
    await vm.create('web')
    w.sleds.failNextStart(await idOf(), 'no huge pages')
    await vm.start('web')
    await w.advance(100)
    await w.advance(100)
    const view = await vm.view('web')
    expect(view).toMatchObject({ runState: 'running', timeLastAutoRestarted: new Date(w.clock.now() - 100) })
    expect(await rowOf(w, 'web')).toMatchObject({ boot: 2 })
  })

  it('of a new instance that fails on the sled leaves it failed, with the reason, if it may not restart', async () => {
    const { id } = await vm.create('web', { start: true, autoRestartPolicy: 'never' })
    w.sleds.failNextStart(id, 'no huge pages')
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({
      runState: 'failed',
      lastError: 'no huge pages',
      autoRestartEnabled: false,
    })
    await w.advance(10 * minute)
    expect(await state()).toBe('failed')
  })
})

describe('automatic restart', () => {
  it('the first failure restarts immediately, the next one after the cooldown', async () => {
    await running()
    await crash()
    await w.advance(200)
    const first = w.clock.now() - 200
    const up = await vm.view('web')
    expect(up).toMatchObject({ runState: 'running', lastError: null })
    expect(up.timeLastAutoRestarted?.getTime()).toBe(first)
    expect(up.autoRestartCooldownExpiration?.getTime()).toBe(first + cooldown)
    await crash('fire')
    expect(await vm.view('web')).toMatchObject({ runState: 'failed', lastError: 'fire' })
    await w.advance(cooldown - 300)
    expect(await state()).toBe('failed')
    await w.advance(150)
    expect(await state()).toBe('starting')
    await w.advance(200)
    expect(await state()).toBe('running')
    expect((await vm.view('web')).timeLastAutoRestarted?.getTime()).toBe(first + cooldown)
  })

  it('a failure long after the last restart restarts immediately', async () => {
    await running()
    await crash()
    await w.advance(cooldown + minute)
    await crash()
    await w.advance(200)
    expect(await state()).toBe('running')
  })

  it('a failed instance takes no capacity and no quota', async () => {
    await running('web', { autoRestartPolicy: 'never' })
    await crash()
    expect((await w.as('admin').utilizationView({ query: {} })).provisioned).toMatchObject({
      cpus: 0,
      memory: 0,
    })
    expect(await rowOf(w, 'web')).toMatchObject({ sledId: null })
  })

  it.each(['best_effort', null] as const)('with the policy %s', async (autoRestartPolicy) => {
    await running('web', { autoRestartPolicy })
    await crash()
    await w.advance(200)
    expect(await state()).toBe('running')
  })

  it('never with the policy never, until the policy changes', async () => {
    await running('web', { autoRestartPolicy: 'never' })
    await crash()
    await w.advance(10 * minute)
    expect(await vm.view('web')).toMatchObject({ runState: 'failed', lastError: 'smoke' })
    await vm.update('web', { autoRestartPolicy: 'best_effort' })
    await w.advance(200)
    expect(await state()).toBe('running')
  })

  it('not after its owner has stopped it', async () => {
    await running()
    await crash()
    await w.advance(200)
    await crash()
    expect(await vm.stop('web')).toMatchObject({ runState: 'stopped' })
    await w.advance(2 * cooldown)
    expect(await state()).toBe('stopped')
  })

  it('an explicit start does not wait for the cooldown and is no automatic one', async () => {
    await running()
    await crash()
    await w.advance(200)
    const { timeLastAutoRestarted } = await vm.view('web')
    await crash()
    expect(await vm.start('web')).toMatchObject({ runState: 'starting', timeLastAutoRestarted })
    await w.advance(200)
    expect(await state()).toBe('running')
  })

  it('a machine that fails while it is being stopped has stopped', async () => {
    await running()
    const { id } = await vm.stop('web')
    w.sleds.forget(id)
    await w.advance(minute)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
  })

  it.each<[string, () => Promise<unknown>, () => Promise<unknown>]>([
    ['quota', () => setQuota(w, { quotaCpus: 0 }), () => setQuota(w, { quotaCpus: 100 })],
    [
      'room',
      () => inDb(w, (tx) => tx.updateTable('sled').set({ provisionPolicy: 'non_provisionable' }).execute()),
      () => inDb(w, (tx) => tx.updateTable('sled').set({ provisionPolicy: 'provisionable' }).execute()),
    ],
  ])(
    'without %s it stays failed, says why, and is tried again with growing waits',
    async (_, exhaust, restore) => {
      await running()
      await exhaust()
      await crash()
      const view = await vm.view('web')
      expect(view).toMatchObject({ runState: 'failed', timeLastAutoRestarted: null })
      expect(view.lastError).toMatch(/^Insufficient capacity: /)
      const waits: number[] = []
      for (let i = 0; i < 5; i++) {
        const { dueAt, attempts } = await rowOf(w, 'web')
        expect(attempts).toBe(i + 1)
        waits.push((dueAt ?? 0) - w.clock.now())
        await w.advance(waits.at(-1) ?? 0)
      }
      expect(waits).toEqual([32, 64, 128, 256, 300].map((s) => s * second))
      await restore()
      await w.advance(cooldown + second)
      expect(await state()).toBe('running')
    },
  )
})

it('a running machine gets each change of its external addresses, also after its sled was unreachable', async () => {
  const { sledId, id } = await running()
  const { items: nics } = await w
    .as('projectCollaborator')
    .instanceNetworkInterfaceList({ query: { instance: id } })
  const kinds = () => w.sleds.externalIps(nics[0]?.id ?? '').map((one) => one.kind)
  expect(kinds()).toEqual(['snat'])
  const front = await addFloatingIp(w, 'front')
  const client = w.as('projectCollaborator')
  const of = { params: { floatingIp: front }, query: {} }
  await client.floatingIpAttach({ ...of, body: { kind: 'instance', parent: id } })
  await w.settle()
  expect(kinds().toSorted()).toEqual(['floating', 'snat'])
  w.sleds.loseSled(sledId ?? '')
  await client.floatingIpDetach(of)
  await w.settle()
  expect(kinds()).toHaveLength(2)
  w.sleds.restoreSled(sledId ?? '')
  await w.advance(minute)
  expect(kinds()).toEqual(['snat'])
})

describe('events inside the guest', () => {
  it('a shutdown that takes long is waited for', async () => {
    await w.close()
    w = await openWorld({ timings: { ...swift, stop: [5 * minute, 5 * minute] } })
    vm = instancesOf(w)
    await running()
    const remove = vi.spyOn(w.sleds, 'remove')
    w.sleds.guestShutdown(await idOf())
    await w.advance(4 * minute)
    expect(await state()).toBe('stopping')
    expect(remove).not.toHaveBeenCalled()
    await w.advance(minute)
    expect(await state()).toBe('stopped')
  })

  it('a shutdown ends in stopped, without a restart', async () => {
    await running()
    w.sleds.guestShutdown(await idOf())
    await w.settle()
    expect(await state()).toBe('stopping')
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
    expect(await rowOf(w, 'web')).toMatchObject({ intended: 'guest_shutdown', desired: 'stopped' })
    await w.advance(2 * cooldown)
    expect(await state()).toBe('stopped')
    await vm.start('web')
    await w.advance(200)
    expect(await state()).toBe('running')
  })
})

describe('a stop', () => {
  it('presses the power button, and leaves no machine behind', async () => {
    const { id, sledId } = await running()
    const shutDown = vi.spyOn(w.sleds, 'shutDown')
    const remove = vi.spyOn(w.sleds, 'remove')
    await vm.stop('web')
    await w.settle()
    expect(shutDown).toHaveBeenCalledWith(id, sledId, 1)
    expect(remove).not.toHaveBeenCalled()
    await w.advance(200)
    expect(await rowOf(w, 'web')).toMatchObject({ runState: 'stopped', intended: 'stopped' })
    expect(await w.sleds.machines(sledId ?? '')).toEqual([])
  })

  it('that is forced powers the machine off at once, also while its guest shuts down, and only that boot', async () => {
    w.sleds.shutDown = () => Promise.resolve()
    const { sledId } = await running()
    const forced = async () => {
      expect(await vm.forceStop('web')).toMatchObject({ runState: 'stopping' })
      await w.advance(200)
      expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
      expect(await w.sleds.machines(sledId ?? '')).toEqual([])
      expect(await vm.forceStop('web')).toMatchObject({ runState: 'stopped' })
      await vm.start('web')
      await w.advance(200)
    }
    await vm.stop('web')
    await w.advance(minute)
    await forced()
    await forced()
    await vm.stop('web')
    await w.advance(minute)
    expect(await state()).toBe('stopping')
  })

  it('powers the machine off if its guest has not obeyed within ten minutes', async () => {
    const { sledId } = await running()
    w.sleds.shutDown = () => Promise.resolve()
    await vm.stop('web')
    await w.advance(9 * minute)
    expect(await state()).toBe('stopping')
    await w.advance(2 * minute)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
    expect(await w.sleds.machines(sledId ?? '')).toEqual([])
  })
})

it('a guest has the hardware of its first boot in later ones, also if its sled would give a new guest another', async () => {
  const given: (string | undefined)[] = []
  const ensure = w.sleds.ensure.bind(w.sleds)
  w.sleds.ensure = (id, spec) => {
    given.push(spec.machineType)
    return ensure(id, { ...spec, machineType: spec.machineType ?? 'older' })
  }
  await running()
  expect(given[0]).toBeUndefined()
  await vm.stop('web')
  await w.advance(second)
  await vm.start('web')
  await w.advance(200)
  expect(await state()).toBe('running')
  expect(given.at(-1)).toBe('older')
})

it('a step that fails is logged and tried again', async () => {
  expected = [/instance not driven/]
  await vm.create('web')
  const ensure = w.sleds.ensure.bind(w.sleds)
  let failures = 3
  w.sleds.ensure = function (id, spec) {
    if (failures-- > 0) return Promise.reject(new Error('a bug in the driver'))
    return ensure(id, spec)
  }
  await vm.start('web')
  await w.advance(minute)
  expect(await state()).toBe('running')
  expect(w.errors).toHaveLength(3)
})

it('each of forty concurrent instances reaches its desired state', async () => {
  const names = Array.from({ length: 40 }, (_, i) => `vm-${i}`)
  for (const name of names) await vm.create(name, { start: true, networkInterfaces: { type: 'none' } })
  await w.advance(500)
  for (const name of names) expect(await state(name)).toBe('running')
  for (const name of names) await vm.stop(name)
  await w.advance(500)
  for (const name of names) expect(await state(name)).toBe('stopped')
})
