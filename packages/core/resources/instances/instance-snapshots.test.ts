import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { instancesOf, rowOf, setQuota, swift } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectRead, projectWrite } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, contentOf, importedDisk, storageOf, writeInto } from '#/testing/storage.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
let vm: ReturnType<typeof instancesOf>
const query = { project: 'demo' }
const ofWeb = { ...query, instance: 'web' }
const me = () => w.as('projectCollaborator')
const named = (name: string) => ({ name, description: '' })
const take = (name: string) => me().instanceSnapshotCreate({ query: ofWeb, body: named(name) })
const at = (instanceSnapshot: string) => ({ params: { instanceSnapshot }, query: ofWeb })
const view = (name: string) => me().instanceSnapshotView(at(name))
const rollBack = (name: string, snapshotBefore?: string) =>
  me().instanceSnapshotRollBack({ ...at(name), body: { snapshotBefore } })
const listed = async () => (await me().instanceSnapshotList({ query: ofWeb })).items.map(({ name }) => name)
const snapshots = async () => (await me().snapshotList({ query })).items.map(({ name }) => name)
const used = async () => (await me().utilizationView({ query: {} })).provisioned.storage
const first = (name: string, of: 'disk' | 'snapshot' = 'disk') => contentOf(w, [of, name], [0, 512])
const detach = (disk: string) => vm.detach('web', disk)

beforeEach(async () => {
  w = await openWorld({ timings: swift })
  vm = instancesOf(w)
  await importedDisk(w, 'root', blocks(1))
  await importedDisk(w, 'data', blocks(2))
  const attached = ['root', 'data'].map((name) => ({ type: 'attach' as const, name }))
  await vm.create('web', { start: false, disks: attached, autoRestartPolicy: 'never' })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

it('a snapshot of an instance has one of each disk, with its tags, and is charged for all', async () => {
  const before = await used()
  const { id: instanceId } = await vm.view('web')
  const body = { ...named('upgrade'), tags: { env: 'prod' } }
  const made = await me().instanceSnapshotCreate({ query: ofWeb, body })
  expect(made).toMatchObject({ name: 'upgrade', instanceId, state: 'ready', size: 2 * GiB })
  expect(made.disks.map(({ snapshotName }) => snapshotName)).toEqual(['upgrade-data', 'upgrade-root'])
  expect(await view('upgrade')).toEqual(made)
  expect((await me().instanceSnapshotList({ query: ofWeb })).items).toEqual([made])
  for (const { snapshotId, diskId } of made.disks)
    expect(await me().snapshotView({ params: { snapshot: snapshotId }, query: {} })).toMatchObject({
      diskId,
      instanceSnapshotId: made.id,
      tags: { env: 'prod' },
    })
  expect((await used()) - before).toBe(2 * GiB)
  const open = () =>
    inDb(w, (tx) =>
      tx.selectFrom('usagePeriod').select('resourceId').where('timeEnded', 'is', null).execute(),
    )
  const ids = made.disks.map(({ snapshotId }) => snapshotId)
  expect((await open()).map(({ resourceId }) => resourceId)).toEqual(expect.arrayContaining(ids))
  await w.advance(1000)
  await me().instanceSnapshotDelete(at('upgrade'))
  expect((await open()).filter(({ resourceId }) => ids.includes(resourceId))).toEqual([])
  expect(await snapshots()).toEqual([])
  expect(await used()).toBe(before)
})

it('a roll-back brings back all disks, and can keep them as they are now', async () => {
  await take('first')
  await writeInto(w, 'root', 0, blocks(3))
  await writeInto(w, 'data', 0, blocks(4))
  await rollBack('first', 'before')
  expect(await first('root')).toEqual(blocks(1))
  expect(await first('data')).toEqual(blocks(2))
  expect(await first('before-root', 'snapshot')).toEqual(blocks(3))
  expect(await listed()).toEqual(['before', 'first'])
  await rollBack('before')
  expect(await first('data')).toEqual(blocks(4))
  await expect(rollBack('first', 'before')).rejects.toMatchObject({ code: 'ObjectAlreadyExists' })
  expect(await first('data')).toEqual(blocks(4))
})

it('all disks get a snapshot, or none', async () => {
  const nothing = async () => expect([await listed(), await snapshots()]).toEqual([[], ['now-root']])
  await storageOf(w).snapshot('now-root', 'root')
  await expect(take('now')).rejects.toMatchObject({
    code: 'ObjectAlreadyExists',
    message: 'already exists: snapshot "now-root"',
  })
  await nothing()
  await setQuota(w, { quotaStorage: 4 * GiB })
  const refused = await take('later').catch((error: unknown) => error)
  expect(refused).toMatchObject({ status: 507 })
  expect(String(refused)).toMatch(
    /Storage Limit Exceeded: 2 GiB wanted \("data" 1 GiB, "root" 1 GiB\), 1 GiB left of 4 GiB\./,
  )
  await nothing()
  await inDb(w, (tx) =>
    tx.updateTable('disk').set({ state: 'detaching' }).where('name', '=', 'data').execute(),
  )
  await expect(take('later')).rejects.toMatchObject({
    status: 409,
    message: 'cannot take a snapshot of disk "data" in state detaching',
  })
  await inDb(w, (tx) =>
    tx.updateTable('disk').set({ state: 'attached' }).where('name', '=', 'data').execute(),
  )
  await nothing()
})

it('names of long disks are cut, and longer names than leave room for them are refused', async () => {
  const long = `d${'a'.repeat(60)}`
  for (const disk of [`${long}b1`, `${long}b2`]) {
    await importedDisk(w, disk, blocks(5))
    await vm.attach('web', disk)
  }
  const { disks } = await take('n'.repeat(46))
  const names = disks.map(({ snapshotName }) => snapshotName)
  expect(new Set(names).size).toBe(4)
  for (const name of names) expect(name).toMatch(/^n{46}-[a-z0-9-]{4,16}$/)
  await expect(take('n'.repeat(47))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('at most 46 characters'),
  })
})

it('a name is taken once for each instance, and an instance without disks has no snapshot', async () => {
  await take('first')
  await expect(take('first')).rejects.toMatchObject({
    message: 'already exists: instance-snapshot "first"',
  })
  await vm.create('bare', { start: false })
  const ofBare = { query: { ...query, instance: 'bare' }, body: named('first') }
  await expect(me().instanceSnapshotCreate(ofBare)).rejects.toMatchObject({
    status: 400,
    message: 'the instance "bare" has no disks',
  })
})

it('while the machine runs, all disks are switched once, and a roll-back is refused', async () => {
  await vm.start('web')
  await w.advance(200)
  const held = Promise.withResolvers<void>()
  const setLayers = w.sleds.setLayers.bind(w.sleds)
  const switched: number[] = []
  w.sleds.setLayers = async (...args) => {
    await held.promise
    switched.push(args[2].disks.length)
    await setLayers(...args)
  }
  expect(await take('hot')).toMatchObject({ state: 'creating' })
  await expect(rollBack('hot')).rejects.toMatchObject({
    status: 409,
    message: 'stop the instance "web" first: cannot roll back one that is running',
  })
  held.resolve()
  await w.settle()
  expect(await view('hot')).toMatchObject({
    state: 'ready',
    disks: [{ state: 'ready' }, { state: 'ready' }],
  })
  expect(switched).toEqual([2])
  expect(await rowOf(w, 'web')).toMatchObject({ storage: 1, storageConfirmed: 1 })
  await vm.stop('web')
  await w.advance(31_000)
  await rollBack('hot')
})

it('a roll-back needs exactly the disks of the snapshot', async () => {
  await take('first')
  await importedDisk(w, 'more', blocks(6))
  await vm.attach('web', 'more')
  await expect(rollBack('first')).rejects.toMatchObject({
    status: 400,
    message: 'not in the snapshot: "more". Detach 1 disk first',
  })
  await detach('more')
  await detach('data')
  await expect(rollBack('first')).rejects.toMatchObject({
    status: 400,
    message: 'not attached any more: "data". Attach 1 disk first',
  })
  await vm.attach('web', 'data')
  await rollBack('first')
  await detach('data')
  await storageOf(w).remove('data')
  await expect(rollBack('first')).rejects.toMatchObject({
    status: 400,
    message: 'deleted: the disks of "first-data". Roll the other disks back one by one',
  })
  await storageOf(w).removeSnapshot('first-data')
  await writeInto(w, 'root', 0, blocks(3))
  await rollBack('first')
  expect(await first('root')).toEqual(blocks(1))
})

it('it is gone with the last of its snapshots, and not while one of them is protected', async () => {
  await take('first')
  const protect = (isProtected: boolean) =>
    me().snapshotUpdate({ params: { snapshot: 'first-data' }, query, body: { protected: isProtected } })
  await protect(true)
  await expect(me().instanceSnapshotDelete(at('first'))).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('"first-data"'),
  })
  expect(await snapshots()).toEqual(['first-data', 'first-root'])
  await protect(false)
  await storageOf(w).removeSnapshot('first-root')
  expect(await view('first')).toMatchObject({ size: GiB, disks: [{ snapshotName: 'first-data' }] })
  await storageOf(w).removeSnapshot('first-data')
  await expect(view('first')).rejects.toMatchObject({ status: 404 })
})

it('it is renamed, and a protected one keeps its parts', async () => {
  const { id, disks } = await take('first')
  const update = (body: Parameters<ReturnType<typeof me>['instanceSnapshotUpdate']>[0]['body']) =>
    me().instanceSnapshotUpdate({ params: { instanceSnapshot: id }, query: {}, body })
  const change = { name: 'before-upgrade', description: 'Release 2', tags: { env: 'prod' } }
  expect(await update(change)).toMatchObject({ ...change, disks })
  await expect(view('first')).rejects.toMatchObject({ status: 404 })
  await take('second')
  await expect(update({ name: 'second' })).rejects.toMatchObject({ code: 'ObjectAlreadyExists' })
  expect(await update({ protected: true })).toMatchObject({ protected: true, tags: { env: 'prod' } })
  const message = expect.stringContaining('"before-upgrade" is protected from deletion') as string
  await expect(me().instanceSnapshotDelete(at('before-upgrade'))).rejects.toMatchObject({ message })
  await expect(storageOf(w).removeSnapshot('first-data')).rejects.toMatchObject({ message })
  expect(await update({ protected: false })).not.toHaveProperty('protected')
  await me().instanceSnapshotDelete(at('before-upgrade'))
  expect(await listed()).toEqual(['second'])
})

it('many are deleted by one task', async () => {
  const ids = []
  for (const name of ['first', 'second']) ids.push((await take(name)).id)
  const { disks } = await take('third')
  await me().snapshotUpdate({
    params: { snapshot: disks[0]?.snapshotId ?? '' },
    query: {},
    body: { protected: true },
  })
  const list = `/v1/instance-snapshots?project=demo&instance=web`
  const task = await tasksOf(w).run({ kind: 'instance-snapshot', action: 'delete', query: list })
  expect(task).toMatchObject({ totalItems: 3, succeeded: 2, failed: 1 })
  expect(task.failures?.[0]?.message).toContain('is protected from deletion')
  expect(await listed()).toEqual(['third'])
})

it('when the instance is deleted, the snapshots of its disks stay as single ones', async () => {
  const { id } = await take('first')
  await vm.remove('web')
  const { items } = await me().snapshotList({ query })
  expect(items.map(({ name, instanceSnapshotId }) => [name, instanceSnapshotId])).toEqual([
    ['first-data', undefined],
    ['first-root', undefined],
  ])
  await expect(
    me().instanceSnapshotView({ params: { instanceSnapshot: id }, query: {} }),
  ).rejects.toMatchObject({ status: 404 })
})

it('of two at the same moment under one name one is made, also while the instance is deleted', async () => {
  const outcomes = await Promise.allSettled([take('same'), take('same'), vm.remove('web')])
  const made = outcomes.slice(0, 2).filter(({ status }) => status === 'fulfilled')
  expect(made.length).toBeLessThanOrEqual(1)
  expect([0, 2]).toContain((await snapshots()).length)
  for (const one of outcomes)
    if (one.status === 'rejected')
      expect([400, 404, 409]).toContain((one.reason as { status: number }).status)
})

it('viewers see them, and collaborators make them, roll back to them and delete them', async () => {
  await take('first')
  expect(await answers(w, (client) => client.instanceSnapshotList({ query: ofWeb }))).toEqual(projectRead)
  expect(await answers(w, (client) => client.instanceSnapshotView(at('first')))).toEqual(projectRead)
  const create = await answers(w, (client, name) =>
    client.instanceSnapshotCreate({ query: ofWeb, body: named(name) }),
  )
  expect(create).toEqual(projectWrite)
  const back = await answers(w, (client) => client.instanceSnapshotRollBack({ ...at('first'), body: {} }))
  expect(back).toEqual(projectWrite)
  const { items } = await me().instanceSnapshotList({ query: ofWeb })
  const left = items.map(({ id }) => id)
  const update = await answers(w, (client) =>
    client.instanceSnapshotUpdate({ params: { instanceSnapshot: left[0] ?? '' }, query: {}, body: {} }),
  )
  expect(update).toEqual(projectWrite)
  const remove = await answers(w, (client) =>
    client.instanceSnapshotDelete({ params: { instanceSnapshot: left.at(-1) ?? '' }, query: {} }).then(() => {
      left.pop()
    }),
  )
  expect(remove).toEqual(projectWrite)
})
