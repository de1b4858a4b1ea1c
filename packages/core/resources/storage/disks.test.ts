import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DiskTable } from '#/db/tables.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const GiB = 2 ** 30
const unknown = '7f3a9e2c-0000-4000-8000-000000000000'
const query = { project: 'demo' }

type Source =
  | { type: 'blank'; blockSize: 512 | 2048 | 4096 }
  | { type: 'importing_blocks'; blockSize: 512 | 2048 | 4096 }

let w: TestWorld
beforeAll(async () => {
  w = await openWorld()
  await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
})
afterAll(() => w.close())

const make = (
  who: Who,
  name: string,
  more: Partial<{ description: string; size: number; diskSource: Source }> = {},
) =>
  w.as(who).diskCreate({
    query,
    body: { name, description: '', size: GiB, diskSource: { type: 'blank', blockSize: 512 }, ...more },
  })
const show = (who: Who, disk: string) => w.as(who).diskView({ params: { disk }, query })
const remove = (who: Who, disk: string) => w.as(who).diskDelete({ params: { disk }, query })
const names = async () => (await w.as('admin').diskList({ query })).items.map((disk) => disk.name)
const storage = async () => (await w.as('admin').utilizationView({ query: {} })).provisioned.storage
const set = (name: string, changes: Partial<DiskTable>) =>
  w.world.engine.transaction('write', (tx) =>
    tx.updateTable('disk').set(changes).where('name', '=', name).execute(),
  )

describe('making a disk', () => {
  it('has the requested values', async () => {
    const name = 'requested'
    const disk = await make('admin', name, {
      description: 'mine',
      size: 2 * GiB,
      diskSource: { type: 'blank', blockSize: 4096 },
    })
    const now = new Date(w.clock.now())
    expect(disk).toEqual({
      id: disk.id,
      name,
      description: 'mine',
      timeCreated: now,
      timeModified: now,
      projectId: w.ids['demo'],
      size: 2 * GiB,
      blockSize: 4096,
      snapshotId: null,
      imageId: null,
      devicePath: `/mnt/${name}`,
      state: { state: 'detached' },
    })
    expect(await show('admin', name)).toEqual(disk)
    await remove('admin', name)
  })

  it('an importing disk waits for its blocks', async () => {
    const disk = await make('admin', 'import', { diskSource: { type: 'importing_blocks', blockSize: 2048 } })
    expect(disk).toMatchObject({ blockSize: 2048, state: { state: 'import_ready' } })
  })

  it.each([
    [
      'a size that is no multiple of the block size',
      GiB + 1,
      'size and block_size',
      'total size must be a multiple of block size 4096',
    ],
    ['less than 1 GiB', GiB / 2, 'size', 'total size must be at least 1 GiB'],
    ['nothing', 0, 'size', 'total size must be at least 1 GiB'],
    ['a broken number of GiB', 1.5 * GiB, 'size', 'total size must be a multiple of 1 GiB'],
    ['more than 1023 GiB', 1024 * GiB, 'size', 'total size must be at most 1023 GiB'],
  ])('%s is refused', async (_, size, label, reason) => {
    const refused = {
      status: 400,
      code: 'InvalidValue',
      message: `unsupported value for "${label}": ${reason}`,
    }
    await expect(
      make('admin', 'bad', { size, diskSource: { type: 'blank', blockSize: 4096 } }),
    ).rejects.toMatchObject(refused)
  })

  it('1023 GiB are accepted', async () => {
    await make('admin', 'large', { size: 1023 * GiB })
    await remove('admin', 'large')
  })

  it('only block sizes of 512, 2048 and 4096 exist', async () => {
    const diskSource = { type: 'blank', blockSize: 1024 as 512 } as const
    await expect(make('admin', 'bad', { diskSource })).rejects.toMatchObject({ status: 400 })
  })
})

describe('seeing disks', () => {
  beforeAll(() => make('admin', 'seen'))
  afterAll(() => remove('admin', 'seen'))

  it.each(['attaching', 'attached', 'detaching'] as const)(
    'the state %s comes with its instance',
    async (state) => {
      await set('seen', { state, instanceId: unknown, slot: 0 })
      expect((await show('viewer', 'seen')).state).toEqual({ state, instance: unknown })
      await set('seen', { state: 'detached', instanceId: null, slot: null })
    },
  )
})

describe('deleting a disk', () => {
  it.each(['detached', 'faulted'] as const)(
    'may be deleted in state %s, and gives its storage back',
    async (state) => {
      const before = await storage()
      await make('admin', 'counted', { size: 7 * GiB })
      await set('counted', { state })
      expect(await storage()).toBe(before + 7 * GiB)
      await remove('admin', 'counted')
      expect(await storage()).toBe(before)
      await expect(remove('admin', 'counted')).rejects.toMatchObject({ status: 404 })
      expect(await storage()).toBe(before)
    },
  )

  it.each([
    'creating',
    'import_ready',
    'importing_from_url',
    'importing_from_bulk_writes',
    'finalizing',
    'maintenance',
    'attaching',
    'attached',
    'detaching',
    'destroyed',
  ] as const)('may not be deleted in state %s', async (state) => {
    await make('admin', 'busy')
    await set('busy', { state, instanceId: unknown, slot: 0 })
    const message = `disk cannot be deleted in state "${state}"`
    await expect(remove('admin', 'busy')).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
      message,
    })
    await set('busy', { state: 'detached', instanceId: null, slot: null })
    await remove('admin', 'busy')
  })
})

describe('the storage quota', () => {
  it('a disk beyond it is refused and leaves no trace', async () => {
    const before = await storage()
    const limit = (quotaStorage: number) =>
      w.world.engine.transaction('write', (tx) =>
        tx.updateTable('silo').set({ quotaStorage }).where('name', '=', 'acme').execute(),
      )
    await limit(before + 5 * GiB)
    const refused = {
      status: 507,
      code: 'InsufficientCapacity',
      message: expect.stringMatching(/^Insufficient capacity: Storage Limit Exceeded: /) as string,
    }
    await expect(make('admin', 'too-large', { size: 6 * GiB })).rejects.toMatchObject(refused)
    expect(await names()).not.toContain('too-large')
    expect(await storage()).toBe(before)
    await make('admin', 'fits', { size: 5 * GiB })
  })

  it('an unexpected failure was none of this', () => {
    expect(w.errors).toEqual([])
  })
})
