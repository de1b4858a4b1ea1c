import { LayerOpen } from '#/ports.ts'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { blocks, contentOf, importedDisk, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const missing = {
  status: 503,
  message:
    'Service Unavailable: bytes of this disk are missing from the data folder. Ask the operator of the rack to restore them',
}
const query = { project: 'demo' }
const day = 24 * 60 * 60_000

let w: TestWorld
let of: ReturnType<typeof storageOf>
beforeEach(async () => {
  w = await openWorld()
  of = storageOf(w)
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  await w.close()
})

/** Takes away all bytes, as a restored folder that is older than the database may lack them. */
async function lose(): Promise<void> {
  for (const layer of await w.world.blobs.list()) await w.world.blobs.remove(layer)
}
/** The errors that were logged, each about missing bytes. */
function takeErrors(): number {
  const errors = w.errors.splice(0)
  for (const error of errors) expect(error).toContain('bytes')
  return errors.length
}

describe('bytes that a layer had and that are missing', () => {
  it('end an import with the reason, its writes and its end', async () => {
    await of.make('disk')
    await of.start('disk')
    await of.write('disk', 0, blocks(1))
    await lose()
    await expect(of.write('disk', 512, blocks(2))).rejects.toMatchObject(missing)
    await expect(of.stop('disk')).rejects.toMatchObject(missing)
    expect(takeErrors()).toBe(2)
    expect(await w.world.blobs.list()).toEqual([])
  })

  it('do not prevent an import without writes', async () => {
    await of.make('disk')
    await of.start('disk')
    await of.write('disk', 0, new Uint8Array(0))
    await of.stop('disk')
    await of.start('disk')
    await of.write('disk', 0, blocks(0))
    await of.write('disk', 512, blocks(3))
    await of.stop('disk')
    expect((await contentOf(w, ['disk', 'disk'], [512, 1]))[0]).toBe(3)
  })

  it('make no snapshot, and none with the end of an import', async () => {
    await importedDisk(w, 'disk', blocks(1))
    const { id } = await of.snapshot('snap', 'disk')
    await of.make('copy', { type: 'snapshot', snapshotId: id })
    await of.make('ready')
    await of.start('ready')
    await of.write('ready', 0, blocks(1))
    await of.stop('ready')
    await lose()
    for (const disk of ['disk', 'copy'])
      await expect(of.snapshot(`of-${disk}`, disk)).rejects.toMatchObject(missing)
    await expect(of.finalize('ready', 'late')).rejects.toMatchObject(missing)
    expect(await of.state('ready')).toBe('import_ready')
    expect(takeErrors()).toBe(3)
  })

  it('leave an image without a digest, and do not delay others', async () => {
    await importedDisk(w, 'lost', blocks(1))
    await importedDisk(w, 'kept', blocks(2))
    const snapshots = [await of.snapshot('a', 'lost'), await of.snapshot('b', 'kept')]
    await w.plane.loops.stop()
    const [lost, kept] = [await of.image('lost', snapshots[0]!.id), await of.image('kept', snapshots[1]!.id)]
    const { blobs } = w.world
    for (const layer of await blobs.list())
      if ((await blobs.read([{ id: layer, hasBytes: true }], 0, 1))[0] === 1) await blobs.remove(layer)
    await w.restart()
    await w.settle()
    const digest = async ({ name }: { name: string }) =>
      (await w.as('viewer').imageView({ params: { image: name }, query })).digest
    expect(await digest(lost)).toBeNull()
    expect((await digest(kept))?.value).toMatch(/^[0-9a-f]{64}$/)
    expect(takeErrors()).toBe(1)
  })

  it('a layer that a machine has open delays the digest of an image', async () => {
    await importedDisk(w, 'disk', blocks(1))
    const snapshot = await of.snapshot('a', 'disk')
    const read = vi.spyOn(w.world.blobs, 'read').mockRejectedValue(new LayerOpen('a layer'))
    await of.image('image', snapshot.id)
    const digest = async () =>
      (await w.as('viewer').imageView({ params: { image: 'image' }, query })).digest?.type ?? null
    await w.settle()
    expect(await digest()).toBeNull()
    read.mockRestore()
    await w.advance(60 * 60_000)
    expect(await digest()).toBe('sha256')
    expect(takeErrors()).toBe(1)
  })

  it('let no instance start, which says why', async () => {
    await importedDisk(w, 'disk', blocks(1))
    await lose()
    const body = {
      name: 'web',
      description: '',
      hostname: 'web',
      ncpus: 1,
      memory: 2 ** 30,
      networkInterfaces: { type: 'none' as const },
      disks: [{ type: 'attach' as const, name: 'disk' }],
      autoRestartPolicy: 'never' as const,
    }
    await w.as('admin').instanceCreate({ query, body })
    await w.advance(30_000)
    const web = await w.as('viewer').instanceView({ params: { instance: 'web' }, query })
    expect(web.runState).toBe('failed')
    expect(takeErrors()).toBeGreaterThan(0)
  })
})

describe('bytes that no row knows', () => {
  it('are put aside for a week, and those of a deleted row are removed immediately', async () => {
    const { blobs, ids } = w.world
    const calls: string[] = []
    for (const name of ['remove', 'putAside', 'dropAside'] as const) {
      const real = blobs[name].bind(blobs) as (...args: unknown[]) => Promise<void>
      blobs[name] = (...args: unknown[]) => (calls.push(`${name} ${String(args[0])}`), real(...args))
    }
    await importedDisk(w, 'disk', blocks(1))
    const [known = ''] = await blobs.list()
    await of.remove('disk')
    await w.settle()
    expect(calls).toContain(`remove ${known}`)
    const unknown = ids.uuid()
    await blobs.write([{ id: unknown, hasBytes: false }], 0, blocks(1))
    calls.length = 0
    w.plane.loops.wake('layers')
    await w.settle()
    const now = w.clock.now()
    expect(calls).toEqual([`putAside ${unknown}`, `dropAside ${now - 7 * day}`])
  })
})

describe('bytes that can only be read', () => {
  const readOnly = 'they belong to another database'
  it('take no import, are not removed, and are read', async () => {
    await importedDisk(w, 'disk', blocks(5))
    await importedDisk(w, 'gone', blocks(6))
    await of.make('new')
    const { id } = await of.snapshot('snap', 'disk')
    const { blobs } = w.world
    const fail = () => Promise.reject(new Error('used'))
    Object.assign(blobs, { readOnly })
    for (const name of ['write', 'flush', 'remove', 'putAside', 'dropAside', 'list'] as const)
      blobs[name] = fail
    const refused = { status: 503, message: `Service Unavailable: ${readOnly}` }
    await expect(of.start('new')).rejects.toMatchObject(refused)
    await of.remove('gone')
    await w.advance(2 * 60 * 60_000)
    await of.image('image', id)
    await w.settle()
    const { digest } = await w.as('viewer').imageView({ params: { image: 'image' }, query })
    expect(digest?.value).toMatch(/^[0-9a-f]{64}$/)
  })
})
