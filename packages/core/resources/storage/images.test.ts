import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { ImageTable } from '#/db/tables.ts'
import { openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const GiB = 2 ** 30
const unknown = '7f3a9e2c-0000-4000-8000-000000000000'
const inProject: Who[] = [
  'admin',
  'collaborator',
  'viewer',
  'projectAdmin',
  'projectCollaborator',
  'projectViewer',
]
const outside: Who[] = ['noRole', 'fleetAdmin']

let w: TestWorld
let siloImage: ImageTable
let projectImage: ImageTable
beforeAll(async () => {
  w = await openWorld()
  siloImage = await add({ name: 'debian', digest: 'ab'.repeat(32) })
  projectImage = await add({ name: 'ours', projectId: w.ids['demo'] ?? '' })
  await add({ name: 'alpine' })
  await add({ name: 'debian', siloId: w.ids['other'] ?? '' })
})
afterAll(() => w.close())

async function add(image: Partial<ImageTable>): Promise<ImageTable> {
  const siloId = image.siloId ?? w.ids['acme'] ?? ''
  const now = w.clock.now()
  const row: ImageTable = {
    id: w.world.ids.uuid(),
    name: '',
    description: 'test',
    timeCreated: now,
    timeModified: now,
    siloId,
    projectId: null,
    scopeId: image.projectId ?? siloId,
    os: 'linux',
    version: '1',
    size: 2 * GiB,
    blockSize: 512,
    digest: null,
    digestDueAt: null,
    isProtected: null,
    timeLastUsed: 0,
    tagsJson: null,
    layerId: null,
    ...image,
  }
  await w.world.engine.transaction('write', (tx) => tx.insertInto('image').values(row).execute())
  return row
}
const list = async (who: Who, project?: string) =>
  (await w.as(who).imageList({ query: project === undefined ? {} : { project } })).items.map(
    (image) => image.name,
  )
const show = (who: Who, image: string, project?: string) =>
  w.as(who).imageView({ params: { image }, query: project === undefined ? {} : { project } })

describe('images of the silo', () => {
  it.each([...inProject, ...outside])('%s lists and shows them, by name and by id', async (who) => {
    expect(await list(who)).toEqual(['alpine', 'debian'])
    const view = await show(who, 'debian')
    expect(view).toMatchObject({
      id: siloImage.id,
      name: 'debian',
      os: 'linux',
      version: '1',
      size: 2 * GiB,
      blockSize: 512,
      digest: { type: 'sha256', value: 'ab'.repeat(32) },
    })
    expect(view).not.toHaveProperty('projectId')
    expect(await show(who, siloImage.id.toUpperCase())).toEqual(view)
  })

  it('another silo has its own', async () => {
    expect(await list('stranger')).toEqual(['debian'])
    expect((await show('stranger', 'debian')).id).not.toBe(siloImage.id)
    const message = `not found: image with id "${siloImage.id}"`
    await expect(show('stranger', siloImage.id)).rejects.toMatchObject({ status: 404, message })
  })

  it('project images are not among them', async () => {
    const message = 'not found: silo-image with name "ours"'
    await expect(show('admin', 'ours')).rejects.toMatchObject({
      status: 404,
      code: 'ObjectNotFound',
      message,
    })
  })
})

describe('images of a project', () => {
  it.each(inProject)('%s lists and shows them, by name and by id', async (who) => {
    expect(await list(who, 'demo')).toEqual(['ours'])
    const view = await show(who, 'ours', 'demo')
    expect(view).toMatchObject({ id: projectImage.id, projectId: w.ids['demo'], digest: null })
    expect(await show(who, projectImage.id)).toEqual(view)
    expect(await show(who, 'ours', w.ids['demo'])).toEqual(view)
  })

  it.each([...outside, 'stranger' as const])('%s does not find them', async (who) => {
    const noProject = { status: 404, message: 'not found: project with name "demo"' }
    await expect(list(who, 'demo')).rejects.toMatchObject(noProject)
    await expect(show(who, 'ours', 'demo')).rejects.toMatchObject(noProject)
    const noImage = { status: 404, message: `not found: image with id "${projectImage.id}"` }
    await expect(show(who, projectImage.id)).rejects.toMatchObject(noImage)
  })

  it('silo images are not among them', async () => {
    const message = 'not found: project-image with name "debian"'
    await expect(show('admin', 'debian', 'demo')).rejects.toMatchObject({ status: 404, message })
  })
})

describe('naming an image', () => {
  it('an id is given without a project', async () => {
    const message = 'when providing image as an ID project should not be specified'
    await expect(show('admin', projectImage.id, 'demo')).rejects.toMatchObject({ status: 400, message })
  })

  it('an unknown id is not found', async () => {
    await expect(show('admin', unknown)).rejects.toMatchObject({
      status: 404,
      message: `not found: image with id "${unknown}"`,
    })
  })

  it('without a session: 401, whether it exists or not', async () => {
    for (const url of [
      '/v1/images',
      '/v1/images?project=demo',
      '/v1/images/debian',
      `/v1/images/${projectImage.id}`,
      '/v1/images/nope',
    ])
      expect((await w.raw({ url })).status).toBe(401)
  })

  it('lists page by name', async () => {
    const first = await w.as('noRole').imageList({ query: { limit: 1, sortBy: 'name_descending' } })
    expect(first.items.map((image) => image.name)).toEqual(['debian'])
    const rest = await w.as('noRole').imageList({ query: { pageToken: first.nextPage ?? '' } })
    expect(rest.items.map((image) => image.name)).toEqual(['alpine'])
    expect(rest.nextPage).toBeNull()
  })
})
