import { createHash } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { takeOverMs } from '#/db/rows/leases.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { tasksOf } from '#/testing/tasks.ts'
import { blocks, contentOf, importedDisk, storageOf } from '#/testing/storage.ts'
import { openWorld, sha256, type TestWorld } from '#/testing/world.ts'

const GiB = 2 ** 30
const query = { project: 'demo' }

let w: TestWorld
let of: ReturnType<typeof storageOf>
let snapshot = ''
beforeEach(async () => {
  w = await openWorld()
  of = storageOf(w)
  await importedDisk(w, 'disk', blocks(5, 3))
  snapshot = (await of.snapshot('snap', 'disk')).id
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const siloWrite = { ...projectWrite, projectAdmin: 403, projectCollaborator: 403 } as const
const names = async (project?: string) =>
  (await w.as('admin').imageList({ query: project === undefined ? {} : { project } })).items.map(
    (one) => one.name,
  )
const view = (image: string) => w.as('admin').imageView({ params: { image }, query: {} })
const exists = (kind: string, name: string) => ({
  status: 400,
  code: 'ObjectAlreadyExists',
  message: `already exists: ${kind} "${name}"`,
})

describe('an image', () => {
  it('takes size and block size from its snapshot and belongs to the project, or to the silo', async () => {
    const mine = await of.image('mine', snapshot)
    expect(mine).toMatchObject({
      name: 'mine',
      os: 'debian',
      version: '13',
      size: GiB,
      blockSize: 512,
      digest: null,
      projectId: w.ids['demo'],
    })
    expect(await storageOf(w, 'collaborator').image('ours', snapshot, {})).not.toHaveProperty('projectId')
    expect(await names('demo')).toEqual(['mine'])
    expect(await names()).toEqual(['ours'])
    expect((await w.as('admin').utilizationView({ query: {} })).provisioned.storage).toBe(2 * GiB)
  })

  it('of a project is made by its collaborators, one of the silo by the silo’s', async () => {
    const make = (of: { project?: string }) =>
      answers(w, (client, name) => {
        const source = { type: 'snapshot', id: snapshot } as const
        const body = { name: `by-${name}`, description: '', os: '', version: '', source }
        return client.imageCreate({ query: of, body })
      })
    expect(await make(query)).toEqual(projectWrite)
    const silo = await make({})
    expect(silo).toEqual({ ...siloWrite, noRole: 403, fleetAdmin: 403, stranger: 404 })
  })

  it('is made of a snapshot of its project that the caller may see', async () => {
    await w.as('admin').projectCreate({ body: { name: 'elsewhere', description: '' } })
    await expect(storageOf(w, 'admin').image('i', snapshot, { project: 'elsewhere' })).rejects.toMatchObject({
      status: 400,
      message: 'snapshot does not belong to this project',
    })
    await expect(of.image('i', w.world.ids.uuid())).rejects.toMatchObject({ status: 404 })
  })

  it('has a unique name in its project or silo', async () => {
    await of.image('same', snapshot)
    await expect(of.image('same', snapshot)).rejects.toMatchObject(exists('project-image', 'same'))
    const silo = storageOf(w, 'collaborator')
    await silo.image('same', snapshot, {})
    await expect(silo.image('same', snapshot, {})).rejects.toMatchObject(exists('silo-image', 'same'))
  })

  it('whose digest was not finished gets it from the next server that looks for work', async () => {
    const { blobs } = w.world
    const real = { ...blobs }
    const { id } = await of.image('mine', snapshot)
    await w.settle()
    const { digest } = await view(id)
    await inDb(w, (tx) => tx.updateTable('image').set({ digest: null, digestDueAt: w.clock.now() }).execute())
    blobs.read = () => Promise.reject(new Error('unreadable'))
    w.plane.loops.wake('digests')
    await w.settle()
    expect(w.errors.splice(0)).toEqual([expect.stringContaining('loop round failed')])
    Object.assign(blobs, real)
    await w.restart()
    expect((await view(id)).digest).toBeNull()
    await w.advance(6 * 60_000)
    expect((await view(id)).digest).toEqual(digest)
  })

  it('whose digest a server was computing that has ended gets it from another one within five seconds', async () => {
    await w.close()
    w = await openWorld({ lookMs: 3_000 })
    of = storageOf(w)
    await importedDisk(w, 'disk', blocks(5, 3))
    const { id } = await of.image('mine', (await of.snapshot('snap', 'disk')).id)
    await w.settle()
    const { digest } = await view(id)
    const claimed = { digest: null, digestDueAt: w.clock.now() + takeOverMs }
    await inDb(w, (tx) => tx.updateTable('image').set(claimed).execute())
    await w.advance(3_500)
    expect((await view(id)).digest).toBeNull()
    await w.advance(1_500)
    expect((await view(id)).digest).toEqual(digest)
  })

  it('is deleted at any time; disks made from it keep their content', async () => {
    const { id } = await of.image('mine', snapshot)
    await of.make('boot', { type: 'image', imageId: id }, 2 * GiB)
    await of.client.imageDelete({ params: { image: 'mine' }, query })
    await of.removeSnapshot('snap')
    await of.remove('disk')
    await w.settle()
    expect(await names('demo')).toEqual([])
    expect(await contentOf(w, ['disk', 'boot'], [512, 512])).toEqual(blocks(5))
    await of.remove('boot')
    await w.settle()
    expect(await w.world.blobs.list()).toEqual([])
  })

  it('keeps its content when snapshot and disk are gone', async () => {
    await of.image('mine', snapshot)
    await of.removeSnapshot('snap')
    await of.remove('disk')
    await w.settle()
    expect(await contentOf(w, ['image', 'mine'], [1024, 512])).toEqual(blocks(5))
  })

  it('is deleted by collaborators of where it belongs', async () => {
    const admin = storageOf(w, 'admin')
    await admin.image('mine', snapshot)
    await admin.image('ours', snapshot, {})
    const ofProject = await answers(w, async (client) => {
      await client.imageDelete({ params: { image: 'mine' }, query })
      await admin.image('mine', snapshot)
    })
    expect(ofProject).toEqual(projectWrite)
    const ofSilo = await answers(w, async (client) => {
      await client.imageDelete({ params: { image: 'ours' }, query: {} })
      await admin.image('ours', snapshot, {})
    })
    // Every user of the silo may see its images, so users who may not delete them get that reason.
    expect(ofSilo).toEqual({ ...siloWrite, noRole: 403, fleetAdmin: 403 })
  })
})

describe('promoting and demoting', () => {
  const promote = (image: string, of: { project?: string } = query) =>
    w.as('collaborator').imagePromote({ params: { image }, query: of })
  const demote = (image: string, project = 'demo') =>
    w.as('collaborator').imageDemote({ params: { image }, query: { project } })

  it('moves an image between its project and the silo, under the same id', async () => {
    const { id } = await of.image('mine', snapshot)
    const promoted = await promote('mine')
    expect(promoted.id).toBe(id)
    expect(promoted).not.toHaveProperty('projectId')
    expect([await names(), await names('demo')]).toEqual([['mine'], []])
    expect(await demote('mine')).toMatchObject({ id, projectId: w.ids['demo'] })
    expect([await names(), await names('demo')]).toEqual([[], ['mine']])
    await promote(id, {})
    await demote(id, w.ids['demo'])
  })

  it('is refused if the image is there already', async () => {
    const { id } = await of.image('mine', snapshot)
    await expect(demote(id)).rejects.toMatchObject({ status: 400, message: 'Cannot demote a project image' })
    await promote('mine')
    await expect(promote(id, {})).rejects.toMatchObject({
      status: 400,
      message: 'Cannot promote a silo image',
    })
  })

  it('is refused where the name is taken', async () => {
    await of.image('same', snapshot)
    const silo = await storageOf(w, 'collaborator').image('same', snapshot, {})
    await expect(promote('same')).rejects.toMatchObject(exists('silo-image', 'same'))
    await expect(demote(silo.id)).rejects.toMatchObject(exists('project-image', 'same'))
  })

  it('is for collaborators of the silo', async () => {
    const { id } = await of.image('mine', snapshot)
    const params = { image: id }
    const promoting = await answers(w, async (client) => {
      await client.imagePromote({ params, query: {} })
      await demote(id)
    })
    expect(promoting).toEqual(siloWrite)
    await promote(id, {})
    const demoting = await answers(w, async (client) => {
      await client.imageDemote({ params, query })
      await promote(id, {})
    })
    expect(demoting).toEqual({ ...siloWrite, noRole: 403, fleetAdmin: 403 })
  })

  it('gives several images to the silo, and leaves those that are there; a name that is taken is reported', async () => {
    const ids = [(await of.image('one', snapshot)).id, (await of.image('two', snapshot)).id]
    const ours = await storageOf(w, 'collaborator').image('ours', snapshot, {})
    const chosen = [...ids, ours.id]
    const body = { kind: 'image', action: 'promote', ids: chosen } as const
    const { names: planned, skipped } = await tasksOf(w, 'collaborator').preview(body)
    expect(planned?.toSorted()).toEqual(['one', 'two'])
    expect(skipped).toMatchObject([{ message: 'an image of the silo already', names: ['ours'] }])
    expect(await tasksOf(w, 'projectCollaborator').run(body)).toMatchObject({ succeeded: 0, failed: 2 })
    expect(await tasksOf(w, 'collaborator').run(body)).toMatchObject({ succeeded: 2, skipped: 1, failed: 0 })
    expect([await names(), await names('demo')]).toEqual([['one', 'ours', 'two'], []])
    const again = await of.image('one', snapshot)
    expect(await tasksOf(w, 'collaborator').run({ ...body, ids: [again.id] })).toMatchObject({
      failed: 1,
      failures: [{ message: expect.stringContaining('already exists') as string }],
    })
  })

  it('gives several images of the silo to one project, and leaves those that are in one', async () => {
    const silo = storageOf(w, 'collaborator')
    const ours = [(await silo.image('one', snapshot, {})).id, (await silo.image('two', snapshot, {})).id]
    await w.as('admin').projectCreate({ body: { name: 'other', description: '' } })
    const [here, there] = [await of.image('here', snapshot), await of.image('there', snapshot)]
    await promote('there')
    await demote(there.id, 'other')
    const ids = [...ours, here.id, there.id]
    const project = w.ids['demo'] ?? ''
    const body = { kind: 'image', action: 'demote', ids, project } as const
    const { names: planned, skipped } = await tasksOf(w, 'collaborator').preview(body)
    expect(planned?.toSorted()).toEqual(['one', 'two'])
    expect(skipped.map((one) => `${one.message}: ${one.names?.join()}`).toSorted()).toEqual([
      'an image of a project already: there',
      'in the project already: here',
    ])
    const refused = { status: 400, message: expect.stringContaining('only for `demote`') as string }
    for (const wrong of [{ ...body, project: null }, { ...body, action: 'promote' } as const])
      await expect(tasksOf(w, 'collaborator').preview(wrong)).rejects.toMatchObject(refused)
    await expect(tasksOf(w, 'collaborator').preview({ ...body, project: here.id })).rejects.toMatchObject({
      status: 404,
    })
    await expect(tasksOf(w, 'stranger').preview(body)).rejects.toMatchObject({ status: 404 })
    expect(await tasksOf(w, 'projectCollaborator').run(body)).toMatchObject({ succeeded: 0, failed: 2 })
    const task = await tasksOf(w, 'collaborator').run({ ...body, project: project.toUpperCase() })
    expect(task).toMatchObject({ project, group: null, succeeded: 2, skipped: 2, failed: 0 })
    expect(task).not.toHaveProperty('instance')
    expect([await names(), await names('demo'), await names('other')]).toEqual([
      [],
      ['here', 'one', 'two'],
      ['there'],
    ])
  })

  it('a promoted image does not prevent the deletion of its former project', async () => {
    await of.image('mine', snapshot)
    await promote('mine')
    await of.removeSnapshot('snap')
    await of.remove('disk')
    await w
      .as('admin')
      .vpcSubnetDelete({ params: { subnet: 'default' }, query: { ...query, vpc: 'default' } })
    await w.as('admin').vpcDelete({ params: { vpc: 'default' }, query })
    await w.as('admin').projectDelete({ params: { project: 'demo' } })
    expect(await names()).toEqual(['mine'])
  })
})

it('an image gets the SHA-256 of its whole content', async () => {
  const real = await openWorld({ sha256 })
  const { snapshot: take, image, client } = storageOf(real)
  await importedDisk(real, 'disk', blocks(5, 3))
  const { id } = await image('mine', (await take('snap', 'disk')).id)
  await real.settle()
  const hash = createHash('sha256').update(blocks(5, 3))
  const zeros = new Uint8Array(1024 * 1024)
  for (let left = GiB - 1536; left > 0; left -= zeros.length) hash.update(zeros.subarray(0, left))
  const made = await client.imageView({ params: { image: id }, query: {} })
  expect(made.digest).toEqual({ type: 'sha256', value: hash.digest('hex') })
  expect(made.timeModified).toEqual(made.timeCreated)
  await real.close()
})
