import { GiB } from '@purlin/contract/rules/limits'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { blocks, contentOf, importedDisk, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const reason = 'the bytes of disks are elsewhere'
const unreachable = { status: 503, message: `Service Unavailable: ${reason}` }

let w: TestWorld
beforeEach(async () => {
  w = await openWorld()
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

/** As if the folder with the bytes were none of this server's. */
function leave(): void {
  const { blobs } = w.world
  const fail = () => Promise.reject(new Error('used'))
  Object.assign(blobs, { unreachable: reason })
  for (const name of ['read', 'write', 'flush', 'remove', 'list', 'used'] as const) blobs[name] = fail
}

describe('a server that cannot reach the bytes of disks', () => {
  it('refuses imports with the reason', async () => {
    const of = storageOf(w)
    await of.make('new')
    await of.make('begun')
    await of.start('begun')
    leave()
    await expect(of.start('new')).rejects.toMatchObject(unreachable)
    await expect(of.write('begun', 0, blocks(1))).rejects.toMatchObject(unreachable)
    await expect(of.stop('begun')).rejects.toMatchObject(unreachable)
    expect(await of.state('begun')).toBe('importing_from_bulk_writes')
  })

  it('computes no digest, which another server then does', async () => {
    await importedDisk(w, 'disk', blocks(1))
    const of = storageOf(w)
    const { id } = await of.snapshot('snap', 'disk')
    const other = await w.another()
    await other.plane.loops.stop()
    leave()
    const { name } = await of.image('image', id)
    await w.settle()
    const view = () => w.as('viewer').imageView({ params: { image: name }, query: { project: 'demo' } })
    expect((await view()).digest).toBeNull()
    await w.another()
    await w.settle()
    expect((await view()).digest?.value).toMatch(/^[0-9a-f]{64}$/)
  })

  it('removes no bytes', async () => {
    await importedDisk(w, 'disk', blocks(1))
    leave()
    await storageOf(w).remove('disk')
    await w.advance(2 * 60 * 60_000)
  })

  it('does the rest', async () => {
    await importedDisk(w, 'disk', blocks(9))
    const of = storageOf(w)
    const { blobs } = await w.another().then(({ plane }) => plane.world)
    leave()
    const { id } = await of.snapshot('snap', 'disk')
    await of.make('copy', { type: 'snapshot', snapshotId: id }, GiB)
    const world = { ...w, world: { ...w.world, blobs } }
    expect((await contentOf(world, ['disk', 'copy'], [0, 1]))[0]).toBe(9)
  })
})
