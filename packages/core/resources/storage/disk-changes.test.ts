import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, expect, it } from 'vitest'
import type { VmLayers } from '#/ports.ts'
import { instancesOf, setQuota, swift } from '#/testing/machines.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, contentOf, importedDisk, storageOf, writeInto } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

let w: TestWorld
const query = { project: 'demo' }
const at = { params: { disk: 'disk' }, query }
const me = () => w.as('projectCollaborator')
const grow = (size: number) => me().diskUpdate({ ...at, body: { size } })
const rollBack = (snapshot: string, snapshotBefore?: string) =>
  me().diskRollBack({ ...at, body: { snapshot, snapshotBefore } })

beforeEach(async () => {
  w = await openWorld({ timings: swift })
})
afterEach(async () => {
  await w.settle()
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

it('a disk becomes larger, keeps its bytes, and is charged for the difference', async () => {
  await importedDisk(w, 'disk', blocks(7))
  const before = (await me().utilizationView({ query: {} })).provisioned.storage
  expect(await grow(3 * GiB)).toMatchObject({ size: 3 * GiB })
  expect((await me().utilizationView({ query: {} })).provisioned.storage - before).toBe(2 * GiB)
  expect(await contentOf(w, ['disk', 'disk'], [0, 512])).toEqual(blocks(7))
  expect(await contentOf(w, ['disk', 'disk'], [3 * GiB - 512, 512])).toEqual(blocks(0))
  await storageOf(w).remove('disk')
  expect((await me().utilizationView({ query: {} })).provisioned.storage).toBe(before - GiB)
})

it('a disk becomes neither smaller, nor another size than disks have, nor larger than the quota', async () => {
  await importedDisk(w, 'disk', blocks(7))
  await grow(2 * GiB)
  await expect(grow(GiB)).rejects.toMatchObject({
    status: 400,
    message: expect.stringContaining('only become larger'),
  })
  await expect(grow(2 * GiB + 512)).rejects.toMatchObject({ status: 400 })
  await setQuota(w, { quotaStorage: 3 * GiB })
  await expect(grow(4 * GiB)).rejects.toMatchObject({ status: 507 })
  expect(await me().diskView(at)).toMatchObject({ size: 2 * GiB })
})

it('a roll-back brings back the bytes of a snapshot, and can keep the present ones', async () => {
  const storage = storageOf(w)
  await importedDisk(w, 'disk', blocks(1))
  await storage.snapshot('first', 'disk')
  await importedDisk(w, 'other', blocks(2))
  await storage.snapshot('foreign', 'other')
  await writeInto(w, 'disk', 0, blocks(3))
  expect(await contentOf(w, ['disk', 'disk'], [0, 512])).toEqual(blocks(3))
  await expect(rollBack('foreign')).rejects.toMatchObject({
    status: 400,
    message: 'the snapshot is not one of this disk',
  })
  await expect(rollBack('missing')).rejects.toMatchObject({ status: 404 })
  await grow(2 * GiB)
  const back = await rollBack('first', 'before')
  expect(back).toMatchObject({ size: 2 * GiB, state: { state: 'detached' } })
  expect(await contentOf(w, ['disk', 'disk'], [0, 512])).toEqual(blocks(1))
  expect(await contentOf(w, ['snapshot', 'before'], [0, 512])).toEqual(blocks(3))
  expect(await contentOf(w, ['snapshot', 'first'], [0, 512])).toEqual(blocks(1))
  expect(await storage.viewSnapshot('before')).toMatchObject({ state: 'ready', size: 2 * GiB })
  await expect(rollBack('first', 'before')).rejects.toMatchObject({
    status: 400,
    code: 'ObjectAlreadyExists',
  })
})

it('a roll-back needs a stopped instance, and a machine that runs gets a larger size', async () => {
  const vm = instancesOf(w)
  await importedDisk(w, 'disk', blocks(1))
  await storageOf(w).snapshot('first', 'disk')
  await vm.create('web', { start: false, disks: [{ type: 'attach', name: 'disk' }] })
  await grow(2 * GiB)
  await rollBack('first')
  await me().instanceStart({ params: { instance: 'web' }, query })
  await w.advance(200)
  const running = { status: 409, message: expect.stringContaining('stop the instance "web" first') }
  await expect(rollBack('first')).rejects.toMatchObject(running)
  const before = (await me().utilizationView({ query: {} })).provisioned.storage
  const switches: VmLayers[] = []
  const setLayers = w.sleds.setLayers.bind(w.sleds)
  w.sleds.setLayers = (id, sledId, to) => (switches.push(to), setLayers(id, sledId, to))
  expect(await grow(3 * GiB)).toMatchObject({ size: 3 * GiB, state: { state: 'attached' } })
  await w.advance(200)
  expect(switches).toMatchObject([{ storage: 1, disks: [{ size: 3 * GiB }] }])
  expect((await me().utilizationView({ query: {} })).provisioned.storage - before).toBe(GiB)
  await expect(grow(2 * GiB)).rejects.toMatchObject({ status: 400 })
  await grow(3 * GiB)
  await w.advance(200)
  expect(switches).toHaveLength(1)
})

it('collaborators of the project may change a disk, and no one with less', async () => {
  await importedDisk(w, 'disk', blocks(1))
  await storageOf(w).snapshot('first', 'disk')
  expect(await answers(w, (client) => client.diskUpdate({ ...at, body: { size: 2 * GiB } }))).toEqual(
    projectWrite,
  )
  const back = await answers(w, (client) => client.diskRollBack({ ...at, body: { snapshot: 'first' } }))
  expect(back).toEqual(projectWrite)
})
