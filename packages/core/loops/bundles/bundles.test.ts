import { createMemoryFiles } from '@purlin/databases/files/in-memory'
import { lazyZips } from '@purlin/tuf/lazy'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { bytesOf, utf8 } from '#/bytes.ts'
import { StorageFull, type MadeFile, type StoredFiles } from '#/ports.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { openWorld, type RawRequest, type TestWorld } from '#/testing/world.ts'

const root = '/experimental/v1/system/support-bundles'
let w: TestWorld
let files: StoredFiles
/** The files that the server adds. */
let added: () => AsyncIterable<MadeFile>
const open = async (changes: Partial<StoredFiles> = {}) => {
  files = { ...createMemoryFiles(), ...changes }
  added = () => made([])
  w = await openWorld({ rack: { sleds: 1 }, bundles: { files, ofServer: () => added() } })
}
beforeEach(() => open())
afterEach(async () => {
  await w.close()
})

async function* made(some: readonly MadeFile[]): AsyncGenerator<MadeFile> {
  for (const one of some) yield await Promise.resolve(one)
}
async function* text(...pieces: string[]): AsyncGenerator<Uint8Array> {
  for (const piece of pieces) yield await Promise.resolve(bytesOf(piece))
}
/** A file whose content comes once it is let in, and a promise of the moment when that is waited for. */
function gatedFile(path: string) {
  const [gate, reached] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  async function* content(): AsyncGenerator<Uint8Array> {
    reached.resolve()
    await gate.promise
    yield bytesOf('late')
  }
  return { file: { path, content: content() }, open: gate.resolve, reached: reached.promise }
}

const fleet = () => w.as('fleetAdmin')
const create = (userComment?: string) =>
  fleet().supportBundleCreate({ body: userComment === undefined ? {} : { userComment } })
const view = (bundleId: string) => fleet().supportBundleView({ params: { bundleId } })
const remove = (bundleId: string) => fleet().supportBundleDelete({ params: { bundleId } })
const ids = async () => (await fleet().supportBundleList({ query: {} })).items.map(({ id }) => id)
const ask = (id: string, path: string, more: Partial<RawRequest> = {}) =>
  w.raw({ url: `${root}/${id}/${path}`, who: 'fleetAdmin', ...more })
const read = async (id: string, path: string) =>
  utf8((await ask(id, `download/${encodeURIComponent(path)}`)).data)
/** One that has been collected. */
async function collected(): Promise<string> {
  const { id } = await create()
  await w.settle()
  expect(await view(id)).toMatchObject({ state: 'active' })
  return id
}

describe('a support bundle', () => {
  it('is collected, listed by time, and commented', async () => {
    const first = await create('slow disks')
    expect(first).toMatchObject({
      state: 'collecting',
      reasonForCreation: 'Created by external API',
      userComment: 'slow disks',
    })
    await w.settle()
    expect(await view(first.id)).toMatchObject({ state: 'active', reasonForFailure: null })
    await w.advance(1000)
    const second = await create()
    expect(second.userComment).toBeNull()
    expect(await ids()).toEqual([first.id, second.id])
    const newest = await fleet().supportBundleList({ query: { sortBy: 'time_and_id_descending', limit: 1 } })
    expect(newest.items.map(({ id }) => id)).toEqual([second.id])
    expect(typeof newest.nextPage).toBe('string')

    const params = { bundleId: first.id }
    const update = (userComment: string | null) =>
      fleet().supportBundleUpdate({ params, body: { userComment } })
    expect(await update('ü'.repeat(2048))).toMatchObject({ userComment: 'ü'.repeat(2048) })
    for (const long of ['ü'.repeat(2049), 'x'.repeat(4097)])
      await expect(update(long)).rejects.toMatchObject({
        status: 400,
        message: expect.stringContaining('User comment cannot exceed 4096 bytes') as string,
      })
    // A comment that is left out is deleted.
    expect(await fleet().supportBundleUpdate({ params, body: {} })).toMatchObject({ userComment: null })
    expect(w.errors).toEqual([])
  })

  it('is downloaded as a whole or in part, and so is each file', async () => {
    added = () => made([{ path: 'server/notes of today.txt', content: text('one ', 'two ', 'three') }])
    const id = await collected()
    const index = await ask(id, 'index')
    const paths = utf8(index.data).trimEnd().split('\n')
    expect(index.headers['content-length']).toBe(String(index.data.length))
    expect(paths).toContain('bundle.json')
    expect(paths).toContain('server/notes_of_today.txt')

    const whole = await ask(id, 'download')
    expect(whole).toMatchObject({ status: 200, headers: { 'content-type': 'application/zip' } })
    const head = await ask(id, 'download', { method: 'HEAD' })
    const { 'x-request-id': _, ...headers } = whole.headers
    expect(head).toMatchObject({ status: 200, headers })
    expect(head.data).toHaveLength(0)
    const part = await ask(id, 'download', { headers: { range: 'bytes=10-19' } })
    expect(part.status).toBe(206)
    expect(part.data).toEqual(whole.data.slice(10, 20))
    const unpacked = await lazyZips.open({
      size: whole.data.length,
      read: (offset, length) => Promise.resolve(whole.data.slice(offset, offset + length)),
    })
    expect([...unpacked.keys()]).toEqual(paths)

    const notes = 'download/server%2Fnotes_of_today.txt'
    expect(utf8((await ask(id, notes)).data)).toBe('one two three')
    expect((await ask(id, notes, { method: 'HEAD' })).headers).toMatchObject({
      'content-length': '13',
      'content-type': 'text/plain; charset=utf-8',
      'content-disposition': 'attachment; filename="notes_of_today.txt"',
    })
    expect(utf8((await ask(id, notes, { headers: { range: 'bytes=2-5' } })).data)).toBe('e tw')
    expect(utf8((await ask(id, notes, { headers: { range: 'bytes=-5' } })).data)).toBe('three')
    expect((await ask(id, notes, { headers: { range: 'bytes=13-' } })).status).toBe(416)
    expect((await ask(id, 'download/nothing')).status).toBe(404)
    expect((await ask(id, 'index', { method: 'HEAD' })).status).toBe(405)
  })

  it('says what the cloud is like', async () => {
    w.sleds.loseSled((await w.sleds.hardware()).sleds[0]?.id ?? '')
    await w.settle()
    const id = await collected()
    expect(JSON.parse(await read(id, 'bundle.json'))).toMatchObject({ id })
    expect(JSON.parse(await read(id, 'health/attention.json'))).toContainEqual(
      expect.objectContaining({ kind: 'sled_missing' }),
    )
    expect(JSON.parse(await read(id, 'database/rows.json'))).toMatchObject({ silo: 2, supportBundle: 1 })
    expect(JSON.parse(await read(id, 'database/version.json'))).toMatchObject({
      engine: w.world.engine.name,
      version: expect.stringMatching(/^\d+\.\d+/) as string,
    })
    expect(JSON.parse(await read(id, 'hardware/sleds.json'))).toHaveLength(1)
    expect(await read(id, 'problems.txt')).toMatch(
      /^hosts\/\w+\/host\.json: it ends here: \w+ does not answer$/m,
    )
  })

  it('can be downloaded only while it is active', async () => {
    const { id } = await create()
    const answers = await Promise.all(
      ['index', 'download', 'download/bundle.json'].map((path) => ask(id, path)),
    )
    for (const { status, json } of answers) {
      expect(status).toBe(400)
      expect(json).toMatchObject({ message: 'Cannot download bundle in non-active state' })
    }
  })

  it('is one of as many as there are disks', async () => {
    const some = [...Array(10).keys()]
    for (const _ of some) await create()
    await expect(create()).rejects.toMatchObject({
      status: 507,
      message: expect.stringContaining('delete old ones first') as string,
    })
    await w.settle()
    await remove((await ids())[0] ?? '')
    await w.settle()
    expect(await files.list()).toHaveLength(9)
    await create()
  })

  it('is deleted with its file, in any state', async () => {
    const id = await collected()
    await remove(id)
    await w.settle()
    await expect(view(id)).rejects.toMatchObject({ status: 404 })
    expect(await files.list()).toEqual([])
    await expect(remove(id)).rejects.toMatchObject({ status: 404 })
  })
})

describe('the collection of a support bundle', () => {
  it('ends with its deletion', async () => {
    const slow = gatedFile('slow.txt')
    added = () => made([slow.file])
    const { id } = await create()
    await slow.reached
    await remove(id)
    expect(await view(id)).toMatchObject({ state: 'destroying' })
    await w.clock.advance(6_000)
    slow.open()
    await w.settle()
    await expect(view(id)).rejects.toMatchObject({ status: 404 })
    expect(await files.list()).toEqual([])
  })

  it('does without what does not come, and says so', async () => {
    const stuck = gatedFile('../../stuck.txt')
    added = () =>
      made([
        stuck.file,
        { path: 'broken.txt', content: broken() },
        { path: 'broken.txt', content: text('another one') },
      ])
    const { id } = await create()
    await stuck.reached
    await w.advance(20_000)
    expect(await view(id)).toMatchObject({ state: 'active' })
    expect(await read(id, '_/_/stuck.txt')).toBe('')
    expect(await read(id, 'broken.txt')).toBe('whole')
    expect(await read(id, 'broken.txt-2')).toBe('another one')
    expect(await read(id, 'problems.txt')).toBe(
      '_/_/stuck.txt: it ends here: nothing came for 20 seconds\nbroken.txt: it ends here: no more\n',
    )
    expect(await read(id, 'hosts/' + (await w.sleds.hardware()).sleds[0]?.serial + '/machines.json')).toBe(
      '[]\n',
    )
  })

  it('begins again on another server after a crash', async () => {
    const { id } = await create()
    await w.settle()
    // As a server leaves it that ends without another word.
    const fileId = w.world.ids.uuid()
    const leaseUntil = w.clock.now() + 60_000
    await inDb(w, (tx) =>
      tx.updateTable('supportBundle').set({ state: 'collecting', fileId, leaseUntil, size: null }).execute(),
    )
    await files.write(fileId, 0, bytesOf('half of it'))
    await w.advance(30_000)
    expect(await view(id)).toMatchObject({ state: 'collecting' })
    await w.advance(30_000)
    expect(await view(id)).toMatchObject({ state: 'active' })
    const stored = await files.list()
    expect(stored).toHaveLength(1)
    expect(stored).not.toContain(fileId)
  })

  it('begins again after a restart', async () => {
    const slow = gatedFile('slow.txt')
    added = () => made([slow.file])
    const { id } = await create()
    await slow.reached
    added = () => made([])
    await w.restart()
    expect(await view(id)).toMatchObject({ state: 'active' })
    expect(await files.list()).toHaveLength(1)
    slow.open()
  })

  it('is shared by servers', async () => {
    const slow = gatedFile('slow.txt')
    added = () => made([slow.file])
    const { id } = await create()
    await slow.reached
    added = () => made([])
    const second = await w.another()
    const quick = await second.as('fleetAdmin').supportBundleCreate({ body: {} })
    await second.plane.loops.settled()
    expect(await view(quick.id)).toMatchObject({ state: 'active' })
    expect(await view(id)).toMatchObject({ state: 'collecting' })
    slow.open()
    await w.settle()
    expect(await view(id)).toMatchObject({ state: 'active' })
    expect(await read(id, 'slow.txt')).toBe('late')
  })
})

async function* broken(): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytesOf('whole'))
  throw new Error('no more')
}

describe('a support bundle fails', () => {
  it('if its file is gone', async () => {
    const id = await collected()
    for (const one of await files.list()) await files.remove(one)
    expect((await ask(id, 'download')).status).toBe(503)
    await w.advance(30_000)
    expect(await view(id)).toMatchObject({
      state: 'failed',
      reasonForFailure: 'Its file is gone from the data folder. Collect another one.',
    })
    await remove(id)
    await w.settle()
    expect(await ids()).toEqual([])
  })

  it.each([
    [
      'there is no room',
      { write: () => Promise.reject(new StorageFull('full')) },
      'The volume of the data folder is full.',
    ],
    ['it is too large', { most: 1000 }, 'It has become too large.'],
    ['it cannot be written', { write: () => Promise.reject(new Error('EIO')) }, 'It could not be written.'],
  ])('if %s', async (_, changes, reason) => {
    await w.close()
    await open(changes)
    const { id } = await create()
    await w.settle()
    expect(await view(id)).toMatchObject({
      state: 'failed',
      reasonForFailure: expect.stringContaining(reason) as string,
    })
    expect(await files.list()).toEqual([])
    expect(w.errors).toHaveLength(1)
  })
})
