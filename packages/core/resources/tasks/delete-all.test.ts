import { GiB } from '@purlin/contract/rules/limits'
import { kindNames, kinds } from '@purlin/contract/rules/kinds'
import { contentKinds } from '@purlin/contract/rules/tasks'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf, swift } from '#/testing/machines.ts'
import { addFloatingIp, addInstance } from '#/testing/networks/networks.ts'
import { addProbe, setFleetRole } from '#/testing/networks/probes.ts'
import { storageOf } from '#/testing/storage.ts'
import { disorder } from '#/testing/state.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

let w: TestWorld
beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const query = { project: 'demo' }
const all = () => ({ kind: 'project' as const, action: 'delete_all' as const, ids: [w.ids['demo'] ?? ''] })
const tasks = (who: Who = 'admin') => tasksOf(w, who)
const isGone = async () =>
  (await w.as('admin').projectList({ query: {} })).items.every(({ name }) => name !== 'demo')

/** One of each kind, and an instance that runs. */
async function fill(): Promise<void> {
  const me = w.as('admin')
  const storage = storageOf(w)
  const vm = instancesOf(w)
  await vm.create('web', {
    start: true,
    bootDisk: {
      type: 'create',
      name: 'boot',
      description: '',
      size: GiB,
      diskSource: { type: 'blank', blockSize: 512 },
    },
  })
  await w.advance(200)
  await vm.create('idle')
  await addFloatingIp(w, 'front')
  await storage.make('data', { type: 'blank', blockSize: 512 })
  const snapshot = await storage.snapshot('now', 'data')
  await storage.image('debian', snapshot.id)
  const group = { description: '', policy: 'allow' as const, failureDomain: 'sled' as const }
  await me.antiAffinityGroupCreate({ query, body: { ...group, name: 'apart' } })
  await me.affinityGroupCreate({ query, body: { ...group, name: 'together' } })
  await me.vpcCreate({ query, body: { name: 'other', description: '', dnsName: 'other' } })
  await me.vpcSubnetCreate({
    query: { ...query, vpc: 'other' },
    body: { name: 'more', description: '', ipv4Block: '10.1.0.0/24' },
  })
}

it('every kind of content has a step', () => {
  const inProjects = kindNames.filter((kind) => kinds[kind].parent === 'project')
  expect(contentKinds.toSorted()).toEqual(inProjects.toSorted())
})

it('deletes a project with all of its contents, in an order in which nothing is refused', async () => {
  await fill()
  const { id, totalItems } = await tasks().create(all())
  await w.settle()
  const steps = await tasks().items(id)
  expect(steps.map(({ operation, name }) => `${operation} ${name}`)).toEqual([
    'instance_stop web',
    'instance_delete idle',
    'instance_delete web',
    'affinity_group_delete together',
    'anti_affinity_group_delete apart',
    'disk_delete boot',
    'disk_delete data',
    'snapshot_delete now',
    'image_delete debian',
    'floating_ip_delete front',
    'vpc_delete default',
    'vpc_delete other',
    'project_delete demo',
  ])
  await w.advance(6_000)
  await w.advance(6_000)
  expect(await tasks().items(id, { result: 'failed' })).toEqual([])
  expect(await tasks().view(id)).toMatchObject({ state: 'completed', succeeded: totalItems, failed: 0 })
  expect(await isGone()).toBe(true)
})

it('begins nothing while something is protected, and names it', async () => {
  await fill()
  await w.as('admin').diskUpdate({ params: { disk: 'boot' }, query, body: { protected: true } })
  const refused = {
    status: 400,
    message: expect.stringContaining('disk "boot" is protected from deletion. Remove the protection first'),
  }
  await expect(tasks().preview(all())).rejects.toMatchObject(refused)
  await expect(tasks().create(all())).rejects.toMatchObject(refused)
  await w.as('admin').diskUpdate({ params: { disk: 'boot' }, query, body: { protected: false } })
  await w.as('admin').projectUpdate({ params: { project: 'demo' }, body: { protected: true } })
  await expect(tasks().create(all())).rejects.toMatchObject({ status: 400 })
})

it('begins nothing while something cannot be deleted, and names it', async () => {
  const storage = storageOf(w)
  await storage.make('half')
  const refused = (message: string) => ({ status: 400, message })
  const isImported = refused('disk "half" cannot be deleted in state "import_ready"')
  await expect(tasks().preview(all())).rejects.toMatchObject(isImported)
  await expect(tasks().create(all())).rejects.toMatchObject(isImported)
  await storage.finalize('half')
  await addProbe(w, 'edge')
  const needsRole = refused('probe "edge" can be deleted only with the role fleet.admin')
  await expect(tasks('projectAdmin').preview(all())).rejects.toMatchObject(needsRole)
  await expect(tasks('projectAdmin').create(all())).rejects.toMatchObject(needsRole)
  await setFleetRole(w, 'admin', 'admin')
  expect(await tasks().run(all())).toMatchObject({ state: 'completed', succeeded: 4, failed: 0 })
})

it('ends with the first step that is refused, and leaves what is protected or promoted after its plan', async () => {
  const me = w.as('admin')
  const storage = storageOf(w)
  await storage.make('data', { type: 'blank', blockSize: 512 })
  const snapshot = await storage.snapshot('now', 'data')
  await storage.image('debian', snapshot.id)
  const protect = (isProtected: boolean) => ({ body: { protected: isProtected } })
  const onDemo = { params: { project: 'demo' } }
  /** A task before which something changes after its plan: the operations that failed, and those not done, with the reason. */
  const after = async (change: () => Promise<unknown>) => {
    await w.plane.loops.stop()
    const { id } = await tasks().create(all())
    await change()
    await w.restart()
    await w.settle()
    const canceled = await tasks().items(id, { result: 'canceled' })
    expect(await tasks().view(id)).toMatchObject({ state: 'failed', canceled: canceled.length, failed: 1 })
    const [failed] = await tasks().items(id, { result: 'failed' })
    return [failed?.message, canceled.map(({ operation }) => operation), canceled[0]?.message]
  }
  expect(await after(() => me.projectUpdate({ ...onDemo, ...protect(true) }))).toEqual([
    'project "demo" is protected from deletion. Remove the protection first',
    ['snapshot_delete', 'image_delete', 'vpc_delete', 'project_delete'],
    'not done: the step of disk "data" has failed',
  ])
  await me.projectUpdate({ ...onDemo, ...protect(false) })
  const disk = { params: { disk: 'data' }, query }
  expect(await after(() => me.diskUpdate({ ...disk, ...protect(true) }))).toEqual([
    'disk "data" is protected from deletion. Remove the protection first',
    ['snapshot_delete', 'image_delete', 'vpc_delete', 'project_delete'],
    'not done: the step of disk "data" has failed',
  ])
  await me.diskUpdate({ ...disk, ...protect(false) })
  expect(await after(() => me.imagePromote({ params: { image: 'debian' }, query }))).toEqual([
    'image "debian" is no longer in the project',
    ['vpc_delete', 'project_delete'],
    'not done: the step of image "debian" has failed',
  ])
  expect((await me.imageView({ params: { image: 'debian' }, query: {} })).name).toBe('debian')
})

it('is done if a step finds nothing left to delete', async () => {
  await storageOf(w).make('data', { type: 'blank', blockSize: 512 })
  await w.plane.loops.stop()
  const { id } = await tasks().create(all())
  await storageOf(w).remove('data')
  await w.restart()
  await w.settle()
  expect(await tasks().view(id)).toMatchObject({ state: 'completed', failed: 1, succeeded: 2 })
  expect(await isGone()).toBe(true)
})

it('is for those who may delete the project, and for one project', async () => {
  for (const who of ['projectAdmin', 'admin'] as const)
    expect((await tasks(who).preview(all())).totalItems).toBe(2)
  for (const who of ['projectCollaborator', 'projectViewer', 'viewer'] as const)
    await expect(tasks(who).create(all())).rejects.toMatchObject({ status: 403 })
  await expect(tasks('noRole').create(all())).rejects.toMatchObject({ status: 404 })
  const two = { ...all(), ids: [w.ids['demo'] ?? '', '00000000-0000-4000-8000-000000000000'] }
  for (const ids of [[], two.ids, two.ids.slice(1)])
    await expect(tasks().create({ ...all(), ids })).rejects.toMatchObject({
      status: ids.length === 1 ? 404 : 400,
    })
})

it('fails at its end if something was added, and is done when it is tried again', async () => {
  await addInstance(w, 'idle')
  const { digest } = await tasks().preview(all())
  await w.plane.loops.stop()
  const { id } = await tasks().create({ ...all(), digest })
  await storageOf(w).make('late', { type: 'blank', blockSize: 512 })
  await w.restart()
  await w.settle()
  expect(await tasks().view(id)).toMatchObject({ state: 'completed', failed: 1, succeeded: 2 })
  const [failed] = await tasks().items(id, { result: 'failed' })
  expect(failed).toMatchObject({
    operation: 'project_delete',
    message: 'project to be deleted contains a disk: late',
  })
  await expect(tasks().create({ ...all(), digest })).rejects.toMatchObject({ status: 412 })
  expect(await tasks().retry(id)).toMatchObject({ failed: 0, succeeded: 2, retryOf: id })
  expect(await isGone()).toBe(true)
})

it('a VPC is deleted with its subnets, unless an interface is in one', async () => {
  await fill()
  const remove = (vpc: string, cascade?: boolean) =>
    w.as('projectCollaborator').vpcDelete({ params: { vpc }, query: { ...query, cascade } })
  await expect(remove('default', true)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(
      /VPC cannot be deleted while instance "(web|idle)" has a network interface in it/,
    ),
  })
  await expect(remove('other')).rejects.toMatchObject({ status: 400 })
  await remove('other', true)
  const { items } = await w.as('projectCollaborator').vpcList({ query })
  expect(items.map(({ name }) => name)).toEqual(['default'])
})

it('a pool is deleted with its ranges, unless an address is in use', async () => {
  const operator = w.as('fleetAdmin')
  const remove = (cascade?: boolean, who: Who = 'fleetAdmin') =>
    w.as(who).ipPoolDelete({ params: { pool: 'public' }, query: { cascade } })
  await addFloatingIp(w, 'front')
  await expect(remove(true)).rejects.toMatchObject({
    status: 400,
    message: expect.stringMatching(
      /IP pool cannot be deleted while its addresses are in use, such as [\d.]+ by floating IP "front" of project "demo" in silo "/,
    ),
  })
  await w.as('projectCollaborator').floatingIpDelete({ params: { floatingIp: 'front' }, query })
  await expect(remove()).rejects.toMatchObject({ status: 400 })
  await expect(remove(true, 'admin')).rejects.toMatchObject({ status: 404 })
  await remove(true)
  expect((await operator.ipPoolList({ query: {} })).items.some(({ name }) => name === 'public')).toBe(false)
})
