import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { DiskTable } from '../db/tables.ts'
import { openWorld, type TestWorld, type Who } from '../testing/world.ts'

const GiB = 2 ** 30
const unknown = '7f3a9e2c-0000-4000-8000-000000000000'
const readers: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'projectAdmin',
  'projectCollaborator',
  'projectViewer',
]
const writers: Who[] = ['admin', 'collaborator', 'projectAdmin', 'projectCollaborator']
const onlyReaders: Who[] = ['viewer', 'projectViewer']
const blind: Who[] = ['nobody', 'fleetAdmin', 'stranger']
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
const storage = async () => (await w.as('admin').utilizationView()).provisioned.storage
const set = (name: string, changes: Partial<DiskTable>) =>
  w.world.engine.transaction('write', (tx) =>
    tx.updateTable('disk').set(changes).where('name', '=', name).execute(),
  )

describe('making a disk', () => {
  it.each(writers)('%s may', async (who) => {
    const name = `of-${who.toLowerCase()}`
    const disk = await make(who, name, {
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
    expect(await show(who, name)).toEqual(disk)
    await remove(who, name)
  })

  it.each(onlyReaders)('%s may not: 403', async (who) => {
    await expect(make(who, 'no')).rejects.toMatchObject({
      status: 403,
      code: 'Forbidden',
      message: 'Forbidden',
    })
  })

  it.each(blind)('%s does not find the project: 404', async (who) => {
    await expect(make(who, 'no')).rejects.toMatchObject({
      status: 404,
      message: 'not found: project with name "demo"',
    })
  })

  it('without a session: 401', async () => {
    const body = {
      name: 'no',
      description: '',
      size: GiB,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    await expect(w.anonymous.diskCreate({ query, body })).rejects.toMatchObject({ status: 401 })
  })

  it('needs its project', async () => {
    expect((await w.raw({ method: 'POST', url: '/v1/disks', who: 'admin', body: '{}' })).json).toMatchObject({
      message: 'unable to parse query string: missing field `project`',
    })
  })

  it('an importing disk waits for its blocks', async () => {
    const disk = await make('admin', 'import', { diskSource: { type: 'importing_blocks', blockSize: 2048 } })
    expect(disk).toMatchObject({ blockSize: 2048, state: { state: 'import_ready' } })
  })

  it('names are unique in the project, and free after a delete', async () => {
    await make('admin', 'twice')
    const exists = { status: 400, code: 'ObjectAlreadyExists', message: 'already exists: disk "twice"' }
    await expect(make('admin', 'twice')).rejects.toMatchObject(exists)
    const body = {
      name: 'twice',
      description: '',
      size: GiB,
      diskSource: { type: 'blank' as const, blockSize: 512 as const },
    }
    const other = await w.as('admin').diskCreate({ query: { project: 'elsewhere' }, body })
    await w.as('admin').diskDelete({ params: { disk: other.id }, query: {} })
    await remove('admin', 'twice')
    await make('admin', 'twice')
    await remove('admin', 'twice')
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

  it('a description of 513 characters is refused', async () => {
    await expect(make('admin', 'bad', { description: 'd'.repeat(513) })).rejects.toMatchObject({
      status: 400,
      code: 'InvalidValue',
    })
  })

  it('counts as a child of its project', async () => {
    const rcgen = () =>
      w.world.engine.transaction('read', (tx) =>
        tx
          .selectFrom('project')
          .select('rcgen')
          .where('id', '=', w.ids['demo'] ?? '')
          .executeTakeFirstOrThrow(),
      )
    const before = await rcgen()
    await make('admin', 'child')
    expect((await rcgen()).rcgen).toBe(before.rcgen + 1)
    await remove('admin', 'child')
  })
})

describe('seeing disks', () => {
  beforeAll(() => make('admin', 'seen'))
  afterAll(() => remove('admin', 'seen'))

  it.each(readers)('%s may', async (who) => {
    const disk = await show(who, 'seen')
    expect(disk.name).toBe('seen')
    expect(await w.as(who).diskView({ params: { disk: disk.id }, query: {} })).toEqual(disk)
    expect((await w.as(who).diskList({ query })).items).toContainEqual(disk)
  })

  it.each(blind)('%s finds neither project nor disk', async (who) => {
    const { id } = await show('admin', 'seen')
    const noProject = { status: 404, message: 'not found: project with name "demo"' }
    await expect(show(who, 'seen')).rejects.toMatchObject(noProject)
    await expect(w.as(who).diskList({ query })).rejects.toMatchObject(noProject)
    const noDisk = { status: 404, message: `not found: disk with id "${id}"` }
    await expect(w.as(who).diskView({ params: { disk: id }, query: {} })).rejects.toMatchObject(noDisk)
  })

  it('without a session: 401, whether it exists or not', async () => {
    for (const url of ['/v1/disks?project=demo', '/v1/disks/seen?project=demo', `/v1/disks/${unknown}`])
      expect((await w.raw({ url })).status).toBe(401)
  })

  it('a name needs its project, an id stands alone', async () => {
    const { id } = await show('admin', 'seen')
    const lonely = w.as('admin').diskView({ params: { disk: 'seen' }, query: {} })
    await expect(lonely).rejects.toMatchObject({
      status: 400,
      message: 'disk should either be UUID or project should be specified',
    })
    const message = 'when providing disk as an ID project should not be specified'
    await expect(show('admin', id)).rejects.toMatchObject({ status: 400, message })
  })

  it('an unknown disk is not found', async () => {
    await expect(show('admin', 'nope')).rejects.toMatchObject({
      status: 404,
      message: 'not found: disk with name "nope"',
    })
  })

  it.each(['attaching', 'attached', 'detaching'] as const)(
    'the state %s comes with its instance',
    async (state) => {
      await set('seen', { state, instanceId: unknown, slot: 0 })
      expect((await show('viewer', 'seen')).state).toEqual({ state, instance: unknown })
      await set('seen', { state: 'detached', instanceId: null, slot: null })
    },
  )

  it('lists page by name and hold one project', async () => {
    await make('admin', 'seen-too')
    const first = await w.as('viewer').diskList({ query: { ...query, limit: 1, sortBy: 'name_descending' } })
    expect(first.items.map((disk) => disk.name)).toEqual(['seen-too'])
    const rest = await w
      .as('viewer')
      .diskList({ query: { ...query, limit: 1, pageToken: first.nextPage ?? '' } })
    expect(rest.items.map((disk) => disk.name)).toEqual(['seen'])
    expect((await w.as('viewer').diskList({ query: { project: 'elsewhere' } })).items).toEqual([])
    await remove('admin', 'seen-too')
  })
})

describe('deleting a disk', () => {
  it.each(writers)('%s may', async (who) => {
    await make('admin', 'gone')
    await remove(who, 'gone')
    await expect(show('admin', 'gone')).rejects.toMatchObject({ status: 404 })
  })

  it.each(onlyReaders)('%s may not: 403', async (who) => {
    await make('admin', 'kept')
    await expect(remove(who, 'kept')).rejects.toMatchObject({ status: 403 })
    await remove('admin', 'kept')
  })

  it.each(blind)('%s does not find it: 404', async (who) => {
    const { id } = await make('admin', 'kept')
    await expect(remove(who, 'kept')).rejects.toMatchObject({
      status: 404,
      message: 'not found: project with name "demo"',
    })
    await expect(w.as(who).diskDelete({ params: { disk: id }, query: {} })).rejects.toMatchObject({
      status: 404,
    })
    await remove('admin', 'kept')
  })

  it('without a session: 401', async () => {
    await expect(w.anonymous.diskDelete({ params: { disk: unknown }, query: {} })).rejects.toMatchObject({
      status: 401,
    })
  })

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
  it('a disk beyond it is refused and leaves nothing behind', async () => {
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
