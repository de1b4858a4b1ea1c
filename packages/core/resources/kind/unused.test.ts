import { GiB, limits } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { inDb } from '#/testing/networks/networks.ts'
import { instancesOf, swift } from '#/testing/machines.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const day = 24 * 60 * 60_000
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
