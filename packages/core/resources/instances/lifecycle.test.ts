import { GiB } from '@purlin/contract/rules/limits'
import type { InstanceState } from '@purlin/contract/rules/states'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { InstanceTable } from '#/db/tables.ts'
import { addGroup, forceRow, instancesOf, rowOf, sledRows, swift } from '#/testing/machines.ts'
import { addFloatingIp, inDb } from '#/testing/networks/networks.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder, dump } from '#/testing/state.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

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

const query = { project: 'demo' }
const used = async () => (await w.as('noRole').utilizationView({ query: {} })).provisioned
const running = async (name = 'web') => {
  await vm.create(name, { start: true, ncpus: 2, memory: 4 * GiB })
  await w.advance(200)
  expect(await vm.view(name)).toMatchObject({ runState: 'running' })
}

/** Forces an instance into a state; if the state needs a machine, with a reservation on a sled. */
async function put(name: string, runState: InstanceState): Promise<InstanceTable> {
  const [sled] = await sledRows(w)
  const placed = !['creating', 'stopped', 'failed'].includes(runState)
  await forceRow(w, name, {
    runState,
    sledId: placed ? (sled?.id ?? '') : null,
    desired: 'running',
    intended: 'running',
    dueAt: null,
  })
  return rowOf(w, name)
}

const stillCreating = [400, 'InvalidRequest', 'cannot change instance state while it is still being created']
const notStopped = [
  400,
  'InvalidRequest',
  'cannot delete instance: instance is running or has not yet fully stopped',
]
const cannotChange = (state: string) => [
  400,
  'InvalidRequest',
  `instance state cannot be changed from ${state}`,
]
const mustBeStopped = (state: string) => [
  409,
  'Conflict',
  `instance is in state ${state} but it must be stopped to be started`,
]
type Outcome = string | (string | number)[]

/** The answer to each request in each state: the state that is answered, or the refusal. */
const table: Record<
  Exclude<InstanceState, 'destroyed'>,
  Record<'start' | 'stop' | 'reboot' | 'remove', Outcome>
> = {
  creating: {
    start: mustBeStopped('creating'),
    stop: stillCreating,
    reboot: stillCreating,
    remove: [400, 'InvalidRequest', 'instance cannot be deleted in state "creating"'],
  },
  stopped: {
    start: 'starting',
    stop: 'stopped',
    reboot: [400, 'InvalidRequest', 'cannot reboot an instance in state stopped with no VMM'],
    remove: 'gone',
  },
  starting: { start: 'starting', stop: 'stopping', reboot: 'starting', remove: notStopped },
  running: { start: 'running', stop: 'stopping', reboot: 'rebooting', remove: notStopped },
  rebooting: { start: 'rebooting', stop: 'stopping', reboot: 'rebooting', remove: notStopped },
  migrating: { start: 'migrating', stop: 'stopping', reboot: 'rebooting', remove: notStopped },
  repairing: {
    start: mustBeStopped('repairing'),
    stop: 'stopping',
    reboot: cannotChange('repairing'),
    remove: notStopped,
  },
  stopping: {
    start: [409, 'Conflict', 'instance must finish stopping before it can be started'],
    stop: 'stopping',
    reboot: cannotChange('stopping'),
    remove: notStopped,
  },
  failed: { start: 'starting', stop: 'stopped', reboot: cannotChange('failed'), remove: 'gone' },
}
const states = Object.keys(table) as (keyof typeof table)[]

describe.each(states)('in state %s', (state) => {
  it.each(['start', 'stop', 'reboot', 'remove'] as const)(
    '%s is answered as the table says',
    async (request) => {
      await vm.create('web')
      const before = await put('web', state)
      const all = await dump(w)
      const outcome = await vm[request]('web').then(
        (view) => view?.runState ?? 'gone',
        (error: { status: number; code: string; message: string }) => [
          error.status,
          error.code,
          error.message,
        ],
      )
      const expected = table[state][request]
      expect(outcome).toEqual(expected)
      // A refused request, or one that is already fulfilled, changes nothing: not even the desired state.
      if (typeof expected !== 'string' || expected === state) {
        expect(await dump(w)).toEqual(all)
        // Where the database answers slowly, the loop may have gone on already.
      } else if (expected !== 'gone')
        expect((await rowOf(w, 'web')).generation).toBeGreaterThan(before.generation)
    },
  )
})

describe('permissions', () => {
  const target = { params: { instance: 'web' }, query }
  beforeEach(() => vm.create('web'))

  it('start, stop, reboot: collaborators of the project', async () => {
    expect(await answers(w, (client) => client.instanceStart(target))).toEqual(projectWrite)
    await w.advance(200)
    expect(await answers(w, (client) => client.instanceReboot(target))).toEqual(projectWrite)
    expect(await answers(w, (client) => client.instanceStop(target))).toEqual(projectWrite)
  })

  it('by id they are the same, and outsiders do not learn that it exists', async () => {
    const { id } = await vm.view('web')
    const byId = { params: { instance: id }, query: {} }
    expect(await answers(w, (client) => client.instanceStop(byId))).toEqual(projectWrite)
    await expect(w.as('stranger').instanceStop(byId)).rejects.toMatchObject({
      message: `not found: instance with id "${id}"`,
    })
  })
})

describe('stop', () => {
  it('of a running instance ends in stopped, and releases its reservation and charge', async () => {
    await running()
    expect(await vm.stop('web')).toMatchObject({ runState: 'stopping' })
    expect(await used()).toMatchObject({ cpus: 2, memory: 4 * GiB })
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped', lastError: null })
    expect(await used()).toMatchObject({ cpus: 0, memory: 0 })
    expect(await disorder(w)).toEqual([])
  })

  it('before the machine is up simply ends the boot', async () => {
    await vm.create('web', { start: true })
    await w.settle()
    expect(await vm.stop('web')).toMatchObject({ runState: 'stopping' })
    await w.advance(500)
    expect(await vm.view('web')).toMatchObject({ runState: 'stopped' })
    expect(await disorder(w)).toEqual([])
  })

  it('of a failed instance acknowledges the failure and clears its reason', async () => {
    await vm.create('web', { autoRestartPolicy: 'never', start: true })
    await w.advance(200)
    w.sleds.crash((await vm.view('web')).id, 'smoke')
    await w.settle()
    expect(await vm.view('web')).toMatchObject({ runState: 'failed', lastError: 'smoke' })
    expect(await vm.stop('web')).toMatchObject({ runState: 'stopped', lastError: null })
  })

  it('a refused stop does not change the intended state', async () => {
    await vm.create('web')
    await put('web', 'creating')
    await expect(vm.stop('web')).rejects.toMatchObject({ status: 400 })
    expect(await rowOf(w, 'web')).toMatchObject({ desired: 'running', intended: 'running' })
  })

  it('a stopped instance can be started again: the second boot', async () => {
    await running()
    await vm.stop('web')
    await w.advance(200)
    await vm.start('web')
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'running' })
    expect(await rowOf(w, 'web')).toMatchObject({ boot: 2 })
  })
})

describe('reboot', () => {
  it('is a reset on the same sled within the same boot', async () => {
    await running()
    const before = await rowOf(w, 'web')
    expect(await vm.reboot('web')).toMatchObject({ runState: 'rebooting' })
    await w.advance(200)
    expect(await vm.view('web')).toMatchObject({ runState: 'running' })
    const { sledId, boot } = before
    expect(await rowOf(w, 'web')).toMatchObject({ sledId, boot, reset: before.reset + 1 })
    expect(await used()).toMatchObject({ cpus: 2, memory: 4 * GiB })
  })
})

describe('delete', () => {
  it('releases its addresses and keeps disks and floating IPs', async () => {
    await addFloatingIp(w, 'front')
    await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow' })
    await w.as('projectCollaborator').currentUserSshKeyCreate({
      body: {
        name: 'mine',
        description: '',
        publicKey: 'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8g',
      },
    })
    await vm.makeDisk('data')
    const disk = {
      type: 'create' as const,
      name: 'boot',
      description: '',
      size: GiB,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    await vm.create('web', {
      antiAffinityGroups: ['apart'],
      externalIps: [{ type: 'ephemeral' }, { type: 'floating', floatingIp: 'front' }],
      bootDisk: disk,
      disks: [{ type: 'attach', name: 'data' }],
    })
    await vm.remove('web')
    await expect(vm.view('web')).rejects.toMatchObject({
      status: 404,
      message: 'not found: instance with name "web"',
    })
    const client = w.as('viewer')
    expect((await client.diskList({ query })).items.map((one) => [one.name, one.state.state])).toEqual([
      ['boot', 'detached'],
      ['data', 'detached'],
    ])
    expect((await client.floatingIpList({ query })).items).toMatchObject([
      { name: 'front', instanceId: null },
    ])
    for (const table of ['networkInterface', 'instanceSshKey', 'affinityMember', 'instance'] as const)
      expect(
        await inDb(w, (tx) =>
          tx
            .selectFrom(table as 'instance')
            .selectAll()
            .execute(),
        ),
      ).toEqual([])
    const addresses = await inDb(w, (tx) => tx.selectFrom('externalIp').select('kind').execute())
    expect(addresses).toEqual([{ kind: 'floating' }])
    expect(await disorder(w)).toEqual([])
  })

  describe('with disks', () => {
    const client = () => w.as('projectCollaborator')
    const remove = (name: string, how: { withDisk?: string[]; withDisks?: 'boot' | 'all' }) =>
      client().instanceDelete({ params: { instance: name }, query: { ...query, ...how } })
    const left = async () => (await client().diskList({ query })).items.map(({ name }) => name)
    /** An instance with a boot disk that is made with it, and one that was there before. */
    async function withTwo(name: string): Promise<string> {
      await vm.makeDisk(`${name}-data`)
      const source = { type: 'blank' as const, blockSize: 512 as const }
      const boot = { name: `${name}-boot`, description: '', size: GiB, diskSource: source }
      const made = await vm.create(name, {
        bootDisk: { type: 'create', ...boot },
        disks: [{ type: 'attach', name: `${name}-data` }],
      })
      return made.id
    }
    const protect = (disk: string, isProtected: boolean) =>
      client().diskUpdate({ params: { disk }, query, body: { protected: isProtected } })

    it('deletes those that are named, in the same entry of the audit log, and detaches the others', async () => {
      await withTwo('web')
      await remove('web', { withDisk: ['web-data'] })
      expect(await left()).toEqual(['web-boot'])
      const [entry] = await inDb(w, (tx) =>
        tx
          .selectFrom('auditPending')
          .select('detailsJson')
          .where('operation', '=', 'instance_delete')
          .execute(),
      )
      expect(entry?.detailsJson).toMatch(/"web".*"web-data"/)
      expect(await disorder(w)).toEqual([])
    })

    it('deletes the boot disk that was made with it, or all', async () => {
      await withTwo('web')
      await vm.makeDisk('older')
      await w.advance(1)
      await vm.create('other', { bootDisk: { type: 'attach', name: 'older' } })
      await remove('web', { withDisks: 'boot' })
      await remove('other', { withDisks: 'boot' })
      expect(await left()).toEqual(['older', 'web-data'])
      await withTwo('last')
      await remove('last', { withDisks: 'all' })
      expect(await left()).toEqual(['older', 'web-data'])
      expect((await used()).storage).toBe(2 * GiB)
    })

    it('is refused as a whole if a disk is protected, attached elsewhere or unknown, or if it runs', async () => {
      await withTwo('web')
      await vm.makeDisk('free')
      const refused = { status: 400, code: 'InvalidRequest' }
      await protect('web-data', true)
      await expect(remove('web', { withDisks: 'all' })).rejects.toMatchObject({
        ...refused,
        message: expect.stringContaining('disk "web-data" is protected from deletion'),
      })
      await expect(remove('web', { withDisk: ['free'] })).rejects.toMatchObject({
        ...refused,
        message: 'disk "free" is not attached to instance "web"',
      })
      await expect(remove('web', { withDisk: ['none'] })).rejects.toMatchObject({ status: 404 })
      const asViewer = w.as('projectViewer').instanceDelete({
        params: { instance: 'web' },
        query: { ...query, withDisks: 'all' },
      })
      await expect(asViewer).rejects.toMatchObject({ status: 403 })
      await vm.start('web')
      await expect(remove('web', { withDisks: 'boot' })).rejects.toMatchObject(refused)
      expect(await left()).toEqual(['free', 'web-boot', 'web-data'])
    })

    it('is a task for several instances, which skips those with a protected disk', async () => {
      const ids = [await withTwo('a'), await withTwo('b'), await withTwo('c')]
      await protect('c-data', true)
      const tasks = tasksOf(w)
      const all = { kind: 'instance', action: 'delete_with_disks', ids } as const
      expect((await tasks.preview(all)).skipped).toEqual([
        { message: 'with a disk that is protected from deletion', count: 1, code: null, names: ['c'] },
      ])
      const boot = { ...all, action: 'delete_with_boot_disk', ids: ids.slice(1) } as const
      expect((await tasks.preview(boot)).skipped).toEqual([])
      expect(await tasks.run({ ...all, ids: ids.slice(0, 1) })).toMatchObject({ succeeded: 1 })
      expect(await tasks.run(boot)).toMatchObject({ succeeded: 2 })
      expect(await left()).toEqual(['b-data', 'c-data'])
    })
  })

  it('a deleted id is never found again', async () => {
    const { id } = await vm.create('web')
    await vm.remove('web')
    const gone = w.as('admin').instanceView({ params: { instance: id }, query: {} })
    await expect(gone).rejects.toMatchObject({ status: 404, message: `not found: instance with id "${id}"` })
  })

  it('a failed instance may be deleted', async () => {
    await vm.create('web', { autoRestartPolicy: 'never', start: true })
    await w.advance(200)
    w.sleds.crash((await vm.view('web')).id, 'smoke')
    await w.settle()
    expect(await vm.view('web')).toMatchObject({ runState: 'failed' })
    await vm.remove('web')
    expect(await disorder(w)).toEqual([])
  })
})

it('an instance of another project is not found by name, and an id takes no project', async () => {
  await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
  const { id } = await vm.create('web')
  const there = { project: 'elsewhere' }
  await expect(
    w.as('admin').instanceStart({ params: { instance: 'web' }, query: there }),
  ).rejects.toMatchObject({ status: 404 })
  await expect(w.as('admin').instanceStart({ params: { instance: id }, query: there })).rejects.toMatchObject(
    {
      message: 'when providing instance as an ID project should not be specified',
    },
  )
  await expect(w.as('admin').instanceStart({ params: { instance: 'web' }, query: {} })).rejects.toMatchObject(
    {
      message: 'instance should either be UUID or project should be specified',
    },
  )
})
