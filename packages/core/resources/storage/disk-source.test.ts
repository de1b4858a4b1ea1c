import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImageTable, SnapshotTable } from '#/db/tables.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const GiB = 2 ** 30
const unknown = '7f3a9e2c-0000-4000-8000-000000000000'
const query = { project: 'demo' }

type Source = { type: 'image'; imageId: string } | { type: 'snapshot'; snapshotId: string }

let w: TestWorld
let elsewhere = ''
beforeAll(async () => {
  w = await openWorld()
  elsewhere = (await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })).id
})
afterAll(() => w.close())

const make = (who: Who, name: string, more: { size: number; diskSource: Source }) =>
  w.as(who).diskCreate({ query, body: { name, description: '', ...more } })
const remove = (who: Who, disk: string) => w.as(who).diskDelete({ params: { disk }, query })

describe('a disk from an image', () => {
  const row = (image: Partial<ImageTable>): ImageTable => {
    const siloId = image.siloId ?? w.ids['acme'] ?? ''
    const id = w.world.ids.uuid()
    return {
      id,
      name: `i-${id.slice(0, 8)}`,
      description: '',
      timeCreated: 1,
      timeModified: 1,
      siloId,
      projectId: null,
      scopeId: image.projectId ?? siloId,
      os: 'linux',
      version: '1',
      size: 2 * GiB,
      blockSize: 4096,
      digest: null,
      digestDueAt: null,
      isProtected: null,
      timeLastUsed: 0,
      tagsJson: null,
      layerId: null,
      ...image,
    }
  }
  async function image(of: Partial<ImageTable> = {}): Promise<string> {
    const made = row(of)
    await w.world.engine.transaction('write', (tx) => tx.insertInto('image').values(made).execute())
    return made.id
  }
  const from = (who: Who, imageId: string, size = 2 * GiB) =>
    make(who, 'from-image', { size, diskSource: { type: 'image', imageId } })

  it('has its block size and image id, from a silo image and a project image', async () => {
    for (const imageId of [await image(), await image({ projectId: w.ids['demo'] ?? '' })]) {
      const disk = await from('projectCollaborator', imageId.toUpperCase())
      expect(disk).toMatchObject({ imageId, snapshotId: null, blockSize: 4096, state: { state: 'detached' } })
      await remove('admin', 'from-image')
    }
  })

  it('an image of another project is refused, and not found if the caller cannot see it', async () => {
    const imageId = await image({ projectId: elsewhere })
    const foreign = { status: 400, code: 'InvalidRequest', message: 'image does not belong to this project' }
    await expect(from('admin', imageId)).rejects.toMatchObject(foreign)
    const message = `not found: image with id "${imageId}"`
    await expect(from('projectCollaborator', imageId)).rejects.toMatchObject({ status: 404, message })
  })

  it('unknown images and those of another silo are not found', async () => {
    for (const imageId of [unknown, await image({ siloId: w.ids['other'] ?? '' })])
      await expect(from('admin', imageId)).rejects.toMatchObject({
        status: 404,
        message: `not found: image with id "${imageId}"`,
      })
  })

  it('is at least as large as the image, which is checked before anything else about the size', async () => {
    const imageId = await image()
    const message = `disk size ${GiB + 1} must be greater than or equal to image size ${2 * GiB}`
    await expect(from('admin', imageId, GiB + 1)).rejects.toMatchObject({
      status: 400,
      code: 'InvalidRequest',
      message,
    })
    await from('admin', imageId, 3 * GiB)
    await remove('admin', 'from-image')
  })
})

describe('a disk from a snapshot', () => {
  async function snapshot(projectId: string): Promise<string> {
    const id = w.world.ids.uuid()
    const row: SnapshotTable = {
      id,
      name: `s-${id.slice(0, 8)}`,
      description: '',
      timeCreated: 1,
      timeModified: 1,
      projectId,
      siloId: w.ids['acme'] ?? '',
      diskId: unknown,
      size: 2 * GiB,
      blockSize: 2048,
      state: 'ready',
      layerId: null,
      scheduleId: null,
      instanceSnapshotId: null,
      isProtected: null,
      timeLastUsed: 0,
      tagsJson: null,
      storage: null,
    }
    await w.world.engine.transaction('write', (tx) => tx.insertInto('snapshot').values(row).execute())
    return id
  }
  const from = (who: Who, snapshotId: string, size = 2 * GiB) =>
    make(who, 'from-snapshot', { size, diskSource: { type: 'snapshot', snapshotId } })

  it('has its block size and snapshot id', async () => {
    const snapshotId = await snapshot(w.ids['demo'] ?? '')
    expect(await from('projectCollaborator', snapshotId)).toMatchObject({
      snapshotId,
      imageId: null,
      blockSize: 2048,
    })
    await remove('admin', 'from-snapshot')
  })

  it('a snapshot of another project is refused, and not found if the caller cannot see it', async () => {
    const snapshotId = await snapshot(elsewhere)
    await expect(from('admin', snapshotId)).rejects.toMatchObject({
      status: 400,
      message: 'snapshot does not belong to this project',
    })
    const message = `not found: snapshot with id "${snapshotId}"`
    await expect(from('projectCollaborator', snapshotId)).rejects.toMatchObject({ status: 404, message })
    await expect(from('admin', unknown)).rejects.toMatchObject({
      status: 404,
      message: `not found: snapshot with id "${unknown}"`,
    })
  })

  it('is at least as large as the snapshot', async () => {
    const message = `disk size ${GiB} must be greater than or equal to snapshot size ${2 * GiB}`
    await expect(from('admin', await snapshot(w.ids['demo'] ?? ''), GiB)).rejects.toMatchObject({
      status: 400,
      message,
    })
  })
})
