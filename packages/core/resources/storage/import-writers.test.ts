import { toBase64 } from '@purlin/contract/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Engine } from '#/ports.ts'
import { openTestEngine } from '#/testing/engines.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, contentOf, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const query = { project: 'demo' }
const KiB = 1024
const refused = { status: 400, message: expect.stringContaining('cannot import blocks') as string }

type Plane = Awaited<ReturnType<TestWorld['another']>>
let w: TestWorld
let other: Plane
let of: ReturnType<typeof storageOf>
beforeEach(async () => {
  w = await openWorld({ engine: shared(await openTestEngine()) })
  other = await w.another()
  of = storageOf(w)
  await of.make('disk')
  await of.start('disk')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

/** An engine that other processes may use, too. */
function shared({ changes: _, ...engine }: Engine): Engine {
  return engine
}

const at = { params: { disk: 'disk' }, query }
const through = (plane: Pick<Plane, 'as'>, offset: number, value: number) =>
  plane.as('projectCollaborator').diskBulkWriteImport({
    ...at,
    body: { offset, base64EncodedData: toBase64(blocks(value, 128)) },
  })
const endThrough = (plane: Pick<Plane, 'as'>) => plane.as('projectCollaborator').diskBulkWriteImportStop(at)
const leases = () =>
  inDb(w, async (tx) => {
    const rows = await tx.selectFrom('lease').select('name').where('name', 'like', '%import%').execute()
    return rows.length
  })
/** Continues until an attempt has ended, however long that takes by the clock of the world. */
async function ended<T>(attempt: Promise<T>): Promise<T> {
  let isOver = false
  const over = () => (isOver = true)
  attempt.then(over, over)
  for (let i = 0; i < 300 && !isOver; i++) await w.advance(100)
  return attempt
}

describe('an import through several servers', () => {
  it('has all blocks, whichever server took them and whichever ends it', async () => {
    const planes = [w, other]
    await Promise.all(Array.from({ length: 16 }, (_, i) => through(planes[i % 2] ?? w, i * 64 * KiB, i + 1)))
    await ended(endThrough(other))
    const seen = await contentOf(w, ['disk', 'disk'], [0, 16 * 64 * KiB])
    expect(Array.from({ length: 16 }, (_, i) => seen[i * 64 * KiB])).toEqual(
      Array.from({ length: 16 }, (_, i) => i + 1),
    )
    expect(await leases()).toBe(0)
  })

  it('does not end before the writes of other servers have', async () => {
    const { blobs } = w.world
    const { promise: unblocked, resolve: unblock } = Promise.withResolvers<void>()
    const write = blobs.write.bind(blobs)
    let isWriting = false
    blobs.write = async (...block) => {
      isWriting = true
      await unblocked
      await write(...block)
    }
    const slow = through(w, 0, 7)
    while (!isWriting) await w.quiet()
    let isOver = false
    const end = endThrough(other).then(() => (isOver = true))
    for (let i = 0; i < 20; i++) await w.clock.advance(100)
    expect(isOver).toBe(false)
    expect(await of.state('disk')).toBe('importing_from_bulk_writes')
    unblock()
    await slow
    await ended(end)
    expect((await contentOf(w, ['disk', 'disk'], [0, 1]))[0]).toBe(7)
    await expect(through(w, 0, 8)).rejects.toMatchObject(refused)
    expect((await contentOf(w, ['disk', 'disk'], [0, 1]))[0]).toBe(7)
  })

  it('is not taken up by another server while it ends', async () => {
    const third = await w.another()
    await through(w, 0, 1)
    const end = endThrough(other)
    while ((await leases()) < 2) await w.quiet()
    await expect(through(third, 0, 2)).rejects.toMatchObject({
      status: 503,
      message: 'Service Unavailable: the import is about to end',
    })
    await ended(end)
    expect((await contentOf(w, ['disk', 'disk'], [0, 1]))[0]).toBe(1)
  })

  it('acknowledges blocks once they are in the folder that all share', async () => {
    const { blobs } = w.world
    // The first block of a layer is synced once more, before the layer counts as written.
    await through(w, 0, 1)
    const done: string[] = []
    const write = blobs.write.bind(blobs)
    const flush = blobs.flush.bind(blobs)
    blobs.write = async (...block) => (await write(...block), void done.push('written'))
    blobs.flush = async (layer) => (await flush(layer), void done.push('flushed'))
    await through(w, 0, 2)
    expect(done).toEqual(['written', 'flushed'])
  })

  it('ends although a server that wrote it has died', async () => {
    await through(w, 0, 5)
    await w.plane.loops.stop()
    // It neither renews nor releases its lease.
    await inDb(w, (tx) =>
      tx
        .updateTable('lease')
        .set({ until: w.clock.now() + 10_000 })
        .where('name', 'like', 'import%')
        .execute(),
    )
    await ended(endThrough(other))
    expect((await contentOf(w, ['disk', 'disk'], [0, 1]))[0]).toBe(5)
  })

  it('is not delayed by users who may not write', async () => {
    const { id } = await w.as('admin').diskView(at)
    for (const params of [{ disk: id }, { disk: crypto.randomUUID() }])
      await expect(
        w.as('noRole').diskBulkWriteImport({
          params,
          query: {},
          body: { offset: 0, base64EncodedData: toBase64(blocks(1)) },
        }),
      ).rejects.toMatchObject({ status: 404 })
    expect(await leases()).toBe(0)
  })

  it('continues in a second session', async () => {
    for (const plane of [w, other]) {
      await through(plane, 0, 1)
      await ended(endThrough(plane))
      await of.start('disk')
    }
    await through(w, 0, 3)
    await ended(endThrough(other))
    expect((await contentOf(w, ['disk', 'disk'], [0, 1]))[0]).toBe(3)
  })
})
