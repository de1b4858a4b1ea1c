import { GiB, limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const hour = 60 * 60_000
const day = 24 * hour
const admin = () => w.as('admin')

beforeEach(async () => {
  w = await openWorld({ timings: swift, rack: { sleds: 2 } })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  await w.close()
})

const names = ({ items }: { items: readonly { name: string }[] }) => items.map(({ name }) => name)
const makeDisk = (name: string, snapshot?: string) =>
  admin().diskCreate({
    query,
    body: {
      name,
      description: '',
      size: GiB,
      diskSource:
        snapshot === undefined
          ? { type: 'blank', blockSize: 512 }
          : { type: 'snapshot', snapshotId: snapshot },
    },
  })
const makeSnapshot = async (name: string, disk: string) => {
  const made = await admin().snapshotCreate({ query, body: { name, description: '', disk } })
  await w.settle()
  return made
}
const deleteDisk = (disk: string) => admin().diskDelete({ params: { disk }, query })

it('disks are unused that are attached to no instance', async () => {
  const vm = instancesOf(w, 'admin')
  await makeDisk('attached')
  await makeDisk('free')
  await vm.create('web')
  await admin().instanceDiskAttach({ params: { instance: 'web' }, query, body: { disk: 'attached' } })
  await w.settle()
  const unused = await admin().diskList({ query: { ...query, unused: true, total: true } })
  expect(names(unused)).toEqual(['free'])
  expect(unused.totalItems).toBe(1)
  expect(names(await admin().diskList({ query: { ...query, unused: false } }))).toContain('attached')
})

it('snapshots are listed by their disk and are unused once it was deleted, images if no disk was made from them', async () => {
  await makeDisk('kept')
  await makeDisk('gone')
  await makeSnapshot('of-kept', 'kept')
  const orphan = await makeSnapshot('of-gone', 'gone')
  await deleteDisk('gone')
  const snapshots = () => admin().snapshotList({ query: { ...query, unused: true } })
  expect(names(await snapshots())).toEqual(['of-gone'])

  const ofDisk = (disk: string) => admin().snapshotList({ query: { ...query, disk, total: true } })
  expect(names(await ofDisk('kept'))).toEqual(['of-kept'])
  expect(await ofDisk(orphan.diskId)).toMatchObject({ items: [{ name: 'of-gone' }], totalItems: 1 })
  expect(
    names(await admin().snapshotList({ query: { ...query, disk: orphan.diskId, unused: true } })),
  ).toEqual(['of-gone'])
  await expect(ofDisk('gone')).rejects.toMatchObject({ status: 404 })

  const image = (name: string) =>
    admin().imageCreate({
      query,
      body: {
        name,
        description: '',
        os: 'debian',
        version: '13',
        source: { type: 'snapshot', id: orphan.id },
      },
    })
  await image('idle')
  const { id } = await image('booted')
  await admin().diskCreate({
    query,
    body: { name: 'boot', description: '', size: GiB, diskSource: { type: 'image', imageId: id } },
  })
  await w.settle()
  const images = () => admin().imageList({ query: { ...query, unused: true } })
  expect(names(await images())).toEqual(['idle'])
  await deleteDisk('boot')
  expect(names(await images())).toEqual(['booted', 'idle'])
})

it('instances are unused that have been stopped for long', async () => {
  const vm = instancesOf(w, 'admin')
  for (const name of ['resting', 'new']) await vm.create(name)
  await w.settle()
  const stoppedFor = (name: string, ms: number) =>
    inDb(w, (tx) =>
      tx
        .updateTable('instance')
        .set({ timeRunStateUpdated: w.clock.now() - ms })
        .where('name', '=', name)
        .execute(),
    )
  await stoppedFor('resting', limits.unused.stoppedDays * day)
  await stoppedFor('new', limits.unused.stoppedDays * day - 60_000)
  expect(names(await admin().instanceList({ query: { ...query, unused: true } }))).toEqual(['resting'])
})

it('a page of unused ones continues, and is searched and ordered as the list is', async () => {
  for (const name of ['a-1', 'a-2', 'a-3', 'b-1']) await makeDisk(name)
  await w.settle()
  const page = (more: object) => admin().diskList({ query: { ...query, unused: true, limit: 2, ...more } })
  const first = await page({})
  expect(names(first)).toEqual(['a-1', 'a-2'])
  expect(names(await page({ pageToken: first.nextPage ?? '' }))).toEqual(['a-3', 'b-1'])
  expect(names(await page({ find: 'b' }))).toEqual(['b-1'])
  expect(names(await page({ sortBy: 'name_descending' }))).toEqual(['b-1', 'a-3'])
})

it('a task for all unused disks deletes no others', async () => {
  await makeDisk('attached')
  await makeDisk('protected')
  await makeDisk('free')
  await admin().diskUpdate({ params: { disk: 'protected' }, query, body: { protected: true } })
  await instancesOf(w, 'admin').create('web')
  await admin().instanceDiskAttach({ params: { instance: 'web' }, query, body: { disk: 'attached' } })
  await w.settle()
  const body = { kind: 'disk', action: 'delete', query: '/v1/disks?project=demo&unused=true' } as const
  expect(await admin().taskPreview({ body })).toMatchObject({
    totalItems: 2,
    names: ['free'],
    skipped: [{ count: 1, message: 'protected from deletion' }],
  })
  await admin().taskCreate({ body })
  await w.settle()
  await w.advance(10_000)
  expect(names(await admin().diskList({ query }))).toEqual(['attached', 'protected'])
})

it('disks, addresses, snapshots and images say when they were last used, and are ordered and searched by that', async () => {
  const vm = instancesOf(w, 'admin')
  await makeDisk('never')
  await makeDisk('data')
  const source = await makeSnapshot('source', 'never')
  await admin().floatingIpCreate({ query, body: { name: 'front', description: '' } })
  await vm.create('web', { externalIps: [{ type: 'floating', floatingIp: 'front' }] })
  const at = { params: { instance: 'web' }, query, body: { disk: 'data' } }
  await admin().instanceDiskAttach(at)
  await w.settle()
  const now = () => new Date(w.clock.now())
  const uses = async () => {
    const { items: disks } = await admin().diskList({ query })
    const { items: ips } = await admin().floatingIpList({ query })
    const { items: snapshots } = await admin().snapshotList({ query })
    const { items: images } = await admin().imageList({ query })
    const used = [...disks, ...ips, ...snapshots, ...images].filter((one) => 'timeLastUsed' in one)
    return Object.fromEntries(used.map(({ name, timeLastUsed }) => [name, timeLastUsed]))
  }
  expect(await uses()).toEqual({})

  await w.advance(hour)
  await admin().instanceDiskDetach(at)
  const expected: Record<string, Date> = { data: now() }
  expect(await uses()).toEqual(expected)

  await w.advance(hour)
  await admin().instanceDiskAttach(at)
  await w.advance(hour)
  await admin().instanceDelete({ params: { instance: 'web' }, query })
  Object.assign(expected, { data: now(), front: now() })
  expect(await uses()).toEqual(expected)

  await w.advance(hour)
  await admin().imageCreate({
    query,
    body: {
      name: 'made',
      description: '',
      os: 'debian',
      version: '13',
      source: { type: 'snapshot', id: source.id },
    },
  })
  expected['source'] = now()
  expect(await uses()).toEqual(expected)
  const { id: imageId } = await admin().imageView({ params: { image: 'made' }, query })
  const boot = (name: string) =>
    admin().diskCreate({
      query,
      body: { name, description: '', size: GiB, diskSource: { type: 'image', imageId } },
    })
  await w.advance(hour)
  await boot('boot')
  expected['made'] = now()
  // Once an hour: those who use the same image need not wait for each other.
  await w.advance(60_000)
  await boot('again')
  expect(await uses()).toEqual(expected)
  await w.advance(hour)
  await makeDisk('restored', source.id)
  await boot('later')
  Object.assign(expected, { source: now(), made: now() })
  expect(await uses()).toEqual(expected)
  await w.advance(hour)
  await admin().diskRollBack({ params: { disk: 'never' }, query, body: { snapshot: 'source' } })
  expected['source'] = now()
  expect(await uses()).toEqual(expected)

  const list = (more: object) => admin().diskList({ query: { ...query, unused: true, limit: 3, ...more } })
  const page = await list({ sortBy: 'last_used_descending' })
  const next = await list({ sortBy: 'last_used_descending', pageToken: page.nextPage ?? '' })
  expect([...names(page), ...names(next)][0]).toBe('data')
  expect([...names(page), ...names(next)].toSorted()).toEqual([
    'again',
    'boot',
    'data',
    'later',
    'never',
    'restored',
  ])
  expect(names(await list({ filter: ['last_used:<30d'] }))).toEqual(['data'])
  expect(names(await list({ filter: ['last_used:>30d', 'name:never'] }))).toEqual(['never'])
})
