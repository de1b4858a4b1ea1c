import { GiB } from '@purlin/contract/rules/limits'
import { beforeEach, describe, expect, it } from 'vitest'
import { addGroup, type instancesOf, setQuota, type NewInstance } from '#/testing/machines.ts'
import { addFloatingIp, inDb } from '#/testing/networks/networks.ts'
import { least, newDisk, nic, many, newInstances, invalid, badSize } from '#/testing/new-instances.ts'
import type { TestWorld } from '#/testing/world.ts'

const { opened, addKey, post, rejected } = newInstances()
let w: TestWorld
let vm: ReturnType<typeof instancesOf>
beforeEach(() => void ({ w, vm } = opened()))
const attached = (name: string) => ({ type: 'attach' as const, name })

describe('disks of a new instance', () => {
  it('the boot disk comes first, then the list in its order', async () => {
    await vm.makeDisk('ready')
    const view = await vm.create('web', {
      bootDisk: newDisk('zz-boot'),
      disks: [attached('ready'), newDisk('aa-data')],
    })
    const { items } = await vm.disks('web')
    expect(items.map((disk) => [disk.name, disk.state])).toEqual(
      ['aa-data', 'ready', 'zz-boot'].map((name) => [name, { state: 'attached', instance: view.id }]),
    )
    expect(view.bootDiskId).toBe(items[2]?.id)
    const slots = await inDb(w, (tx) =>
      tx.selectFrom('disk').select(['name', 'slot']).orderBy('slot').execute(),
    )
    expect(slots).toEqual([
      { name: 'zz-boot', slot: 0 },
      { name: 'ready', slot: 1 },
      { name: 'aa-data', slot: 2 },
    ])
  })

  it('an attached boot disk is recorded too', async () => {
    const { id } = await vm.makeDisk('ready')
    expect(await vm.create('web', { bootDisk: attached('ready') })).toMatchObject({ bootDiskId: id })
  })

  it('a disk is attached by name only', async () => {
    const { id } = await vm.makeDisk('ready')
    const { status, json } = await post({ ...least, disks: [{ type: 'attach', name: id }] })
    expect(status).toBe(400)
    expect((json as { message: string }).message).toMatch(
      /^unable to parse JSON body: disks\[0\]\.name: name /,
    )
  })

  it('embedded disks obey the rules of disks, before anything is written', async () => {
    const reason = badSize('total size must be at least 1 GiB')
    await rejected({ bootDisk: newDisk('small', GiB / 2) }, reason)
    await rejected({ disks: [newDisk('fine'), newDisk('small', GiB / 2)] }, reason)
  })
})

describe('a create that fails late', () => {
  const everything = async (): Promise<Partial<NewInstance>> => {
    await addKey('mine')
    await vm.makeDisk('ready')
    await addFloatingIp(w, 'front')
    await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'fail' })
    return {
      antiAffinityGroups: ['apart'],
      externalIps: [{ type: 'ephemeral' }, { type: 'floating', floatingIp: 'front' }],
      bootDisk: newDisk('boot'),
      disks: [attached('ready'), newDisk('data')],
    }
  }

  it('would have succeeded', async () => {
    await vm.create('web', await everything())
    expect((await vm.disks('web')).items).toHaveLength(3)
  })

  it.each<[string, (base: Partial<NewInstance>) => Partial<NewInstance>, object]>([
    [
      'an unknown SSH key',
      () => ({ sshPublicKeys: ['mine', 'nope'] }),
      { status: 404, message: 'not found: ssh-key with name "nope"' },
    ],
    [
      'an unknown group',
      () => ({ antiAffinityGroups: ['apart', 'nope'] }),
      { status: 404, message: 'not found: anti-affinity-group with name "nope"' },
    ],
    [
      'an unknown subnet',
      () => ({ networkInterfaces: { type: 'create', params: [nic('a'), nic('b', 'nope')] } }),
      { status: 404, message: 'not found: vpc-subnet with name "nope"' },
    ],
    [
      'an unknown VPC',
      () => ({ networkInterfaces: { type: 'create', params: [nic('a', 'default', 'nope')] } }),
      { status: 404, message: 'not found: vpc with name "nope"' },
    ],
    [
      'an unknown pool',
      () => ({ externalIps: [{ type: 'ephemeral', pool: 'nope' }] }),
      { status: 404, message: 'not found: ip-pool with name "nope"' },
    ],
    [
      'an unknown floating IP',
      () => ({ externalIps: [{ type: 'floating', floatingIp: 'nope' }] }),
      { status: 404, message: 'not found: floating-ip with name "nope"' },
    ],
    [
      'an unknown last disk',
      ({ disks = [] }) => ({ disks: [...disks, attached('nope')] }),
      { status: 404, message: 'not found: disk with name "nope"' },
    ],
    [
      'a disk of another instance',
      ({ disks = [] }) => ({ disks: [...disks, attached('taken')] }),
      invalid('cannot attach disk "taken": disk is attached to another instance'),
    ],
    [
      'a disk name that exists',
      ({ disks = [] }) => ({ disks: [...disks, newDisk('taken')] }),
      { status: 400, code: 'ObjectAlreadyExists', message: 'already exists: disk "taken"' },
    ],
    [
      'two new disks of one name',
      ({ disks = [] }) => ({ disks: [...disks, newDisk('data')] }),
      { status: 400, code: 'ObjectAlreadyExists', message: 'already exists: disk "data"' },
    ],
    [
      'more storage than the quota',
      ({ disks = [] }) => ({ disks: [...disks, newDisk('huge', 500 * GiB)] }),
      { status: 507 },
    ],
  ])('%s: everything is undone', async (_, change, reason) => {
    const base = await everything()
    await vm.create('other', { disks: [newDisk('taken')] })
    await setQuota(w, { quotaStorage: 100 * GiB })
    await rejected({ ...base, ...change(base) }, reason)
  })

  it('a taken name: already exists, everything is undone', async () => {
    const base = await everything()
    await vm.create('web')
    await rejected(base, {
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: instance "web"',
    })
  })

  it('a pool without addresses: 507, everything is undone', async () => {
    const base = await everything()
    await inDb(w, (tx) => tx.updateTable('ipPoolRange').set({ nextKey: '4ffffffff' }).execute())
    await rejected(base, {
      status: 507,
      code: 'InsufficientCapacity',
      message: 'Insufficient capacity: No external IP addresses available',
    })
  })
})

describe('anti-affinity groups of a new instance', () => {
  it('by name or id; duplicates collapse', async () => {
    const id = await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow' })
    const { id: instanceId } = await vm.create('web', { antiAffinityGroups: ['apart', id, 'apart'] })
    const members = await inDb(w, (tx) => tx.selectFrom('affinityMember').selectAll().execute())
    expect(members).toEqual([{ groupId: id, instanceId }])
  })

  it('an affinity group cannot be given', async () => {
    await addGroup(w, { name: 'together', kind: 'affinity', policy: 'allow' })
    const reason = { status: 404, message: 'not found: anti-affinity-group with name "together"' }
    await rejected({ antiAffinityGroups: ['together'] }, reason)
  })

  it('a group has at most 32 members', async () => {
    await addGroup(w, { name: 'apart', kind: 'anti_affinity', policy: 'allow' })
    for (let i = 0; i < 32; i++)
      await vm.create(`m${i}`, { antiAffinityGroups: ['apart'], networkInterfaces: { type: 'none' } })
    const reason = invalid('Anti-affinity group already has maximum allowed members (32)')
    await rejected({ antiAffinityGroups: ['apart'] }, reason)
  })

  it('an instance is in at most 16', async () => {
    for (let i = 0; i < 17; i++) await addGroup(w, { name: `g${i}`, kind: 'anti_affinity', policy: 'allow' })
    await vm.create('fits', { antiAffinityGroups: many(16, (i) => `g${i}`) })
    const reason = invalid('Instance already belongs to maximum allowed anti-affinity groups (16)')
    await rejected({ antiAffinityGroups: many(17, (i) => `g${i}`) }, reason)
  })
})

describe('a create whose start finds no capacity', () => {
  it.each<[string, () => Promise<unknown>, RegExp]>([
    [
      'no sled with enough capacity',
      () => inDb(w, (tx) => tx.updateTable('sled').set({ provisionPolicy: 'non_provisionable' }).execute()),
      /^Insufficient capacity: Failed to place instance: Could not find any valid sled/,
    ],
    [
      'no vCPUs left in the quota',
      () => setQuota(w, { quotaCpus: 0 }),
      /^Insufficient capacity: vCPU Limit Exceeded/,
    ],
    [
      'no memory left in the quota',
      () => setQuota(w, { quotaMemory: 0 }),
      /^Insufficient capacity: Memory Limit Exceeded/,
    ],
  ])('%s: still 201, then stopped, with the reason', async (_, exhaust, reason) => {
    await exhaust()
    expect(await vm.create('web', { start: true })).toMatchObject({ runState: 'creating' })
    await w.settle()
    const view = await vm.view('web')
    expect(view).toMatchObject({ runState: 'stopped', lastError: expect.stringMatching(reason) as string })
    await w.advance(10 * 60_000)
    expect(await vm.view('web')).toEqual(view)
  })

  it('the reason goes with the next start that succeeds', async () => {
    await setQuota(w, { quotaCpus: 0 })
    await vm.create('web', { start: true })
    await w.settle()
    await setQuota(w, { quotaCpus: 8 })
    expect(await vm.start('web')).toMatchObject({ runState: 'starting', lastError: null })
  })
})
