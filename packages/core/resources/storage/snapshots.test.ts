import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { instancesOf, setQuota } from '#/testing/machines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, contentOf, importedDisk, storageOf, writeInto } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const GiB = 2 ** 30
const query = { project: 'demo' }
const blank = { type: 'blank', blockSize: 512 } as const

let w: TestWorld
let of: ReturnType<typeof storageOf>
beforeEach(async () => {
  w = await openWorld()
  of = storageOf(w)
  await of.make('disk', blank)
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const storage = async () => (await w.as('admin').utilizationView({ query: {} })).provisioned.storage
const setState = (table: 'disk' | 'snapshot', state: string) =>
  inDb(w, (tx) =>
    tx
      .updateTable(table as 'disk')
      .set({ state: state as 'detached' })
      .execute(),
  )

describe('a snapshot', () => {
  it('is ready immediately and has its disk, size and project', async () => {
    const disk = await of.client.diskView({ params: { disk: 'disk' }, query })
    const made = await of.client.snapshotCreate({
      query,
      body: { name: 'snap', description: 'why', disk: disk.id },
    })
    expect(made).toMatchObject({
      name: 'snap',
      description: 'why',
      diskId: disk.id,
      size: GiB,
      state: 'ready',
    })
    expect(made.projectId).toBe(w.ids['demo'])
    expect(await of.viewSnapshot('snap')).toEqual(made)
    expect(await of.client.snapshotView({ params: { snapshot: made.id }, query: {} })).toEqual(made)
    expect(await of.client.diskView({ params: { disk: 'disk' }, query })).toEqual(disk)
  })

  it('is of a disk in the same project', async () => {
    await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
    const { id } = await of.client.diskView({ params: { disk: 'disk' }, query })
    const attempt = (who: 'admin' | 'stranger', disk: string) =>
      w
        .as(who)
        .snapshotCreate({ query: { project: 'elsewhere' }, body: { name: 's', description: '', disk } })
    await expect(attempt('admin', id)).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
      message: "can't create a snapshot of a disk in a different project",
    })
    await expect(attempt('admin', 'disk')).rejects.toMatchObject({
      status: 404,
      message: 'not found: disk with name "disk"',
    })
    await expect(attempt('stranger', id)).rejects.toMatchObject({ status: 404 })
  })

  it('is also taken of an attached disk, whether its instance runs or not', async () => {
    const vm = instancesOf(w)
    await vm.create('web', { bootDisk: { type: 'attach', name: 'disk' } })
    await of.snapshot('still', 'disk')
    await vm.start('web')
    await w.advance(60_000)
    await of.snapshot('running', 'disk')
    expect(await of.state('disk')).toBe('attached')
  })

  it.each(['creating', 'import_ready', 'finalizing', 'maintenance', 'faulted'])(
    'of a disk that is %s has to wait: 503',
    async (state) => {
      await setState('disk', state)
      await expect(of.snapshot('snap', 'disk')).rejects.toMatchObject({
        status: 503,
        code: 'ServiceNotAvailable',
      })
    },
  )

  it('counts against the quota of the silo at its full size, until it is deleted', async () => {
    await setQuota(w, { quotaStorage: 2 * GiB })
    await of.snapshot('one', 'disk')
    await expect(of.snapshot('two', 'disk')).rejects.toMatchObject({
      status: 507,
      code: 'InsufficientCapacity',
      message: expect.stringMatching(/^Insufficient capacity: Storage Limit Exceeded: /) as string,
    })
    await of.removeSnapshot('one')
    expect(await storage()).toBe(GiB)
    await of.snapshot('two', 'disk')
  })

  it('that is destroyed is not deleted', async () => {
    await of.snapshot('snap', 'disk')
    await setState('snapshot', 'destroyed')
    await expect(of.removeSnapshot('snap')).rejects.toMatchObject({
      status: 400,
      message: 'snapshot cannot be deleted in state destroyed',
    })
  })

  it.each(['creating', 'destroyed'])('that is %s is no source of disks and images', async (state) => {
    const { id } = await of.snapshot('snap', 'disk')
    await setState('snapshot', state)
    await expect(of.make('copy', { type: 'snapshot', snapshotId: id })).rejects.toMatchObject({
      status: 400,
      message: `cannot create disk from snapshot in state ${state}`,
    })
    await expect(of.image('image', id)).rejects.toMatchObject({
      status: 400,
      message: `cannot create image from snapshot in state ${state}`,
    })
  })

  it('that is faulted is deleted', async () => {
    await of.snapshot('snap', 'disk')
    await setState('snapshot', 'faulted')
    await of.removeSnapshot('snap')
    await expect(of.viewSnapshot('snap')).rejects.toMatchObject({ status: 404 })
  })
})

describe('the content of a snapshot', () => {
  const start = (name: ['disk' | 'snapshot', string], length = 1024) => contentOf(w, name, [0, length])
  const values = async (name: ['disk' | 'snapshot', string]) => {
    const seen = await start(name, 1536)
    return [seen[0], seen[512], seen[1024]]
  }

  it('does not change when the disk is written or deleted', async () => {
    await importedDisk(w, 'data', blocks(1, 2))
    await of.snapshot('first', 'data')
    await writeInto(w, 'data', 512, blocks(2))
    await of.snapshot('second', 'data')
    await writeInto(w, 'data', 1024, blocks(3))
    expect(await values(['snapshot', 'first'])).toEqual([1, 1, 0])
    expect(await values(['snapshot', 'second'])).toEqual([1, 2, 0])
    expect(await values(['disk', 'data'])).toEqual([1, 2, 3])
    await of.remove('data')
    await w.settle()
    expect(await values(['snapshot', 'first'])).toEqual([1, 1, 0])
    expect(await values(['snapshot', 'second'])).toEqual([1, 2, 0])
  })

  it('takes no further storage', async () => {
    await importedDisk(w, 'data', blocks(1, 1024))
    const { blobs } = w.world
    const before = await blobs.list()
    await of.snapshot('first', 'data')
    expect(await blobs.list()).toEqual(before)
  })

  it('is where a disk made from it begins; neither changes the other', async () => {
    await importedDisk(w, 'data', blocks(1, 2))
    const { id } = await of.snapshot('snap', 'data')
    for (const name of ['copy', 'twin']) await of.make(name, { type: 'snapshot', snapshotId: id }, 2 * GiB)
    await writeInto(w, 'copy', 0, blocks(7))
    expect(await values(['disk', 'copy'])).toEqual([7, 1, 0])
    expect(await values(['disk', 'twin'])).toEqual([1, 1, 0])
    expect(await values(['snapshot', 'snap'])).toEqual([1, 1, 0])
    expect((await contentOf(w, ['disk', 'copy'], [2 * GiB - 512, 512])).every((byte) => byte === 0)).toBe(
      true,
    )
    await of.removeSnapshot('snap')
    await of.remove('data')
    await w.settle()
    expect(await values(['disk', 'copy'])).toEqual([7, 1, 0])
    expect(await values(['disk', 'twin'])).toEqual([1, 1, 0])
  })
})

const layerOf = (id: string) => [{ id, hasBytes: false }]

describe('storage', () => {
  it('is freed when the last row that refers to it is deleted', async () => {
    const { blobs } = w.world
    await importedDisk(w, 'data', blocks(1, 256))
    const { id } = await of.snapshot('snap', 'data')
    await writeInto(w, 'data', 0, blocks(2))
    await of.make('copy', { type: 'snapshot', snapshotId: id })
    expect(await blobs.list()).toHaveLength(2)
    await of.remove('data')
    await w.settle()
    expect(await blobs.list()).toHaveLength(1)
    await of.removeSnapshot('snap')
    await w.settle()
    expect(await blobs.list()).toHaveLength(1)
    await of.remove('copy')
    await w.settle()
    expect(await blobs.list()).toEqual([])
    expect(await inDb(w, (tx) => tx.selectFrom('layer').selectAll().execute())).toEqual([])
  })

  it('that a crash has left unreferenced is the only one that the next run frees', async () => {
    const { blobs, ids } = w.world
    await importedDisk(w, 'data', blocks(1))
    await blobs.write(layerOf(ids.uuid()), 0, blocks(1))
    const layer = { id: ids.uuid(), parentId: null, timeCreated: 1 }
    await inDb(w, (tx) => tx.insertInto('layer').values(layer).execute())
    await blobs.write(layerOf(layer.id), 0, blocks(1))
    await w.restart()
    expect(await blobs.list()).toHaveLength(1)
    expect((await contentOf(w, ['disk', 'data'], [0, 512]))[0]).toBe(1)
    await blobs.write(layerOf(ids.uuid()), 0, blocks(1))
    await w.advance(60 * 60_000)
    expect(await blobs.list()).toHaveLength(1)
  })

  it('that cannot be freed now is freed later', async () => {
    const { blobs } = w.world
    await importedDisk(w, 'data', blocks(1))
    const real = { ...blobs }
    blobs.remove = () => Promise.reject(new Error('busy'))
    await of.remove('data')
    await w.settle()
    expect(w.errors.splice(0)).toEqual([expect.stringContaining('loop round failed')])
    Object.assign(blobs, real)
    await w.advance(3000)
    expect(await blobs.list()).toEqual([])
  })
})
