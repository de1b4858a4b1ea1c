import { toBase64 } from '@purlin/contract/wire'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { StorageFull } from '#/ports.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { answers, projectWrite } from '#/testing/roles.ts'
import { disorder } from '#/testing/state.ts'
import { blocks, contentOf, storageOf } from '#/testing/storage.ts'
import { openWorld, type TestWorld } from '#/testing/world.ts'

const GiB = 2 ** 30
const chunk = 512 * 1024
const query = { project: 'demo' }

let w: TestWorld
let of: ReturnType<typeof storageOf>
beforeEach(async () => {
  w = await openWorld()
  of = storageOf(w)
  await of.make('disk')
})
afterEach(async () => {
  expect(w.errors).toEqual([])
  expect(await disorder(w)).toEqual([])
  await w.close()
})

const refused = (message: string) => ({ status: 400, code: 'InvalidRequest', message })
const used = async () => {
  const { blobs } = w.world
  const sizes = await Promise.all((await blobs.list()).map((layer) => blobs.used(layer)))
  return sizes.reduce((all, one) => all + one, 0)
}

describe('an import', () => {
  it('goes from import_ready through a session back, and ends detached', async () => {
    expect(await of.state('disk')).toBe('import_ready')
    await of.start('disk')
    expect(await of.state('disk')).toBe('importing_from_bulk_writes')
    await of.stop('disk')
    expect(await of.state('disk')).toBe('import_ready')
    await of.start('disk')
    await of.stop('disk')
    await of.finalize('disk')
    expect(await of.state('disk')).toBe('detached')
  })

  it('takes writes in any order, at the same time and again, and the gaps are zero', async () => {
    await of.start('disk')
    await Promise.all([3, 1, 0].map((i) => of.write('disk', i * chunk, blocks(i + 1, 1024))))
    await of.write('disk', chunk + 512, blocks(9))
    await of.write('disk', GiB - 512, blocks(7))
    await of.stop('disk')
    await of.finalize('disk')
    const [first, second, third] = await Promise.all(
      [0, 1, 2].map((i) => contentOf(w, ['disk', 'disk'], [i * chunk, chunk])),
    )
    expect(first?.every((byte) => byte === 1)).toBe(true)
    expect([second?.[511], second?.[512], second?.[1023], second?.[1024]]).toEqual([2, 9, 9, 2])
    expect(third?.every((byte) => byte === 0)).toBe(true)
    expect(await contentOf(w, ['disk', 'disk'], [GiB - 1024, 1024])).toEqual(
      Uint8Array.from([...new Uint8Array(512), ...blocks(7)]),
    )
  })

  it('continues in a second session where the first one ended', async () => {
    for (const [i, value] of [1, 2].entries()) {
      await of.start('disk')
      await of.write('disk', i * 512, blocks(value))
      await of.stop('disk')
    }
    const seen = await contentOf(w, ['disk', 'disk'], [0, 1024])
    expect([seen[0], seen[512]]).toEqual([1, 2])
  })

  it('takes bytes as they are', async () => {
    await of.start('disk')
    const collaborator = w.as('projectCollaborator')
    const at = (offset: number) => ({ params: { disk: 'disk' }, query: { ...query, offset } })
    await collaborator.diskBlocksWrite({ ...at(512), body: blocks(5) })
    const written = await contentOf(w, ['disk', 'disk'], [0, 1536])
    expect([0, 511, 512, 1023, 1024].map((place) => written[place])).toEqual([0, 0, 5, 5, 0])
    await expect(collaborator.diskBlocksWrite({ ...at(1), body: blocks(5) })).rejects.toMatchObject(
      refused('offset not multiple of block size!'),
    )
    await expect(w.as('projectViewer').diskBlocksWrite({ ...at(0), body: blocks(5) })).rejects.toMatchObject({
      status: 403,
    })
  })

  it('of zeros takes no room', async () => {
    await of.start('disk')
    await of.write('disk', 0, blocks(0, 1024))
    expect(await used()).toBe(0)
    await of.write('disk', 0, blocks(1, 1024))
    expect(await used()).toBe(chunk)
  })

  it('is the work of collaborators of the project', async () => {
    const at = { params: { disk: 'disk' }, query }
    const admin = storageOf(w, 'admin')
    expect(
      await answers(w, async (client) => {
        await client.diskBulkWriteImportStart(at)
        await admin.stop('disk')
      }),
    ).toEqual(projectWrite)
    await admin.start('disk')
    const body = { offset: 0, base64EncodedData: btoa('x'.repeat(512)) }
    expect(await answers(w, (client) => client.diskBulkWriteImport({ ...at, body }))).toEqual(projectWrite)
    expect(
      await answers(w, async (client) => {
        await client.diskBulkWriteImportStop(at)
        await admin.start('disk')
      }),
    ).toEqual(projectWrite)
    await admin.stop('disk')
    expect(
      await answers(w, async (client, name) => {
        await client.diskFinalizeImport({ ...at, body: { snapshotName: `by-${name}` } })
        await inDb(w, (tx) => tx.updateTable('disk').set({ state: 'import_ready' }).execute())
      }),
    ).toEqual(projectWrite)
  })
})

describe('a disk in another state', () => {
  it.each(['importing_from_bulk_writes', 'detached', 'attached', 'finalizing', 'faulted'] as const)(
    '%s cannot begin a session, nor be finalized',
    async (state) => {
      const before = await inDb(w, (tx) => tx.selectFrom('disk').selectAll().executeTakeFirstOrThrow())
      await inDb(w, (tx) => tx.updateTable('disk').set({ state }).execute())
      await expect(of.start('disk')).rejects.toMatchObject(
        refused(`cannot set disk in state ${state} to "importing_from_bulk_writes"`),
      )
      await expect(of.finalize('disk')).rejects.toMatchObject(
        refused(`cannot finalize disk in state ${state}`),
      )
      await inDb(w, (tx) => tx.updateTable('disk').set(before).execute())
    },
  )

  it('takes no writes and ends no session', async () => {
    const message = 'cannot import blocks with a bulk write for disk in state import_ready'
    await expect(of.write('disk', 0, blocks(1))).rejects.toMatchObject(refused(message))
    await expect(of.stop('disk')).rejects.toMatchObject(
      refused('cannot set disk in state import_ready to "import_ready"'),
    )
    expect(await w.world.blobs.list()).toEqual([])
  })

  it('during a session is neither deleted nor attached nor snapshotted', async () => {
    await of.start('disk')
    const message = 'disk cannot be deleted in state "importing_from_bulk_writes"'
    await expect(of.remove('disk')).rejects.toMatchObject(refused(message))
    await expect(of.snapshot('snap', 'disk')).rejects.toMatchObject({ status: 503 })
  })
})

describe('a write', () => {
  beforeEach(() => of.start('disk'))

  it.each([
    [0, chunk + 512, `data len ${chunk + 512} over max chunk size ${chunk}!`],
    [1, 512, 'offset not multiple of block size!'],
    [0, 511, 'data length not multiple of block size!'],
    [GiB, 512, 'offset + data length off end of region!'],
    [GiB - 512, 1024, 'offset + data length off end of region!'],
  ])('at %d of %d bytes is refused: %s', async (offset, length, message) => {
    await expect(of.write('disk', offset, new Uint8Array(length).fill(1))).rejects.toMatchObject(
      refused(message),
    )
    expect(await used()).toBe(0)
  })

  it.each(['A', 'AAA', 'AA==A', 'A-__', 'AA AA===', 'ÄÄÄÄ'])(
    'of %s is no base64',
    async (base64EncodedData) => {
      const attempt = of.client.diskBulkWriteImport({
        params: { disk: 'disk' },
        query,
        body: { offset: 0, base64EncodedData },
      })
      const message = expect.stringMatching(/^error base64 decoding data: /) as string
      await expect(attempt).rejects.toMatchObject({ status: 400, code: 'InvalidRequest', message })
    },
  )

  it('names its disk, or has only its id', async () => {
    const { id } = await of.client.diskView({ params: { disk: 'disk' }, query })
    const body = { offset: 512, base64EncodedData: toBase64(blocks(8)) }
    await of.client.diskBulkWriteImport({ params: { disk: id.toUpperCase() }, query: {}, body })
    expect((await contentOf(w, ['disk', 'disk'], [512, 1]))[0]).toBe(8)
    const both = of.client.diskBulkWriteImport({ params: { disk: id }, query, body })
    await expect(both).rejects.toMatchObject({ status: 400 })
    const gone = { params: { disk: id.replaceAll(/[1-9a-f]/g, '0') }, query: {}, body }
    await expect(of.client.diskBulkWriteImport(gone)).rejects.toMatchObject({ status: 404 })
  })

  it('counts in the block size of its disk', async () => {
    await of.make('large', { type: 'importing_blocks', blockSize: 4096 })
    await of.start('large')
    await expect(of.write('large', 512, blocks(1, 8))).rejects.toMatchObject({ status: 400 })
    await expect(of.write('large', 4096, blocks(1, 4))).rejects.toMatchObject({ status: 400 })
    await of.write('large', 4096, blocks(1, 8))
  })

  it('of zero bytes changes nothing', async () => {
    await of.write('disk', 512, new Uint8Array(0))
    expect(await used()).toBe(0)
  })

  it('that does not fit on the storage is refused, and the session continues', async () => {
    const { blobs } = w.world
    const real = { ...blobs }
    blobs.write = () => Promise.reject(new StorageFull('ENOSPC'))
    const full = { status: 507, code: 'InsufficientCapacity' }
    await expect(of.write('disk', 0, blocks(1))).rejects.toMatchObject(full)
    Object.assign(blobs, real)
    await of.write('disk', 0, blocks(1))
    blobs.flush = () => Promise.reject(new StorageFull('ENOSPC'))
    await expect(of.stop('disk')).rejects.toMatchObject(full)
    expect(await of.state('disk')).toBe('importing_from_bulk_writes')
  })
})

it('the end of a session waits for the writes before it, and none lands after it', async () => {
  await of.start('disk')
  const { blobs } = w.world
  const real = { ...blobs }
  let arrived = 0
  const landed = new Set<number>()
  const gate = Promise.withResolvers<void>()
  blobs.write = async (chain, offset, bytes) => {
    arrived++
    await gate.promise
    landed.add(offset)
    await real.write(chain, offset, bytes)
  }
  let stopped = false
  const early = [0, 1].map((i) => of.write('disk', i * 512, blocks(1)))
  await vi.waitFor(() => expect(arrived).toBe(2), 60_000)
  const stop = of.stop('disk').then(() => (stopped = true))
  await w.quiet()
  const late = of.write('disk', 1024, blocks(1)).catch((error: Error) => error.message)
  await w.quiet()
  expect(stopped).toBe(false)
  gate.resolve()
  await Promise.all([...early, stop])
  expect(landed).toEqual(new Set([0, 512]))
  expect(await late).toBe('cannot import blocks with a bulk write for disk in state import_ready')
})

describe('finalizing', () => {
  it('takes a snapshot if one is named, charged like the disk', async () => {
    await of.start('disk')
    await of.write('disk', 0, blocks(5))
    await of.stop('disk')
    await of.finalize('disk', 'fresh')
    const disk = await of.client.diskView({ params: { disk: 'disk' }, query })
    const snapshot = await of.viewSnapshot('fresh')
    expect(snapshot).toMatchObject({ diskId: disk.id, size: GiB, state: 'ready' })
    expect(snapshot.description).toContain(disk.id)
    expect(await contentOf(w, ['snapshot', 'fresh'], [0, 512])).toEqual(blocks(5))
    expect(await contentOf(w, ['disk', 'disk'], [0, 512])).toEqual(blocks(5))
    expect((await w.as('admin').utilizationView({ query: {} })).provisioned.storage).toBe(2 * GiB)
  })

  it('fails as a whole if the name is taken', async () => {
    await of.make('other', { type: 'blank', blockSize: 512 })
    await of.snapshot('taken', 'other')
    await expect(of.finalize('disk', 'taken')).rejects.toMatchObject({
      status: 400,
      code: 'ObjectAlreadyExists',
      message: 'already exists: snapshot "taken"',
    })
    expect(await of.state('disk')).toBe('import_ready')
    await of.finalize('disk')
  })
})

it('imported bytes survive a restart in the middle of a session', async () => {
  await of.start('disk')
  await of.write('disk', 0, blocks(3))
  await w.restart()
  await of.write('disk', 512, blocks(4))
  // Where servers share the database, the end waits for the lease of the one that is gone.
  const stopped = of.stop('disk')
  await w.advance(10_000)
  await stopped
  const seen = await contentOf(w, ['disk', 'disk'], [0, 1024])
  expect([seen[0], seen[512]]).toEqual([3, 4])
})
