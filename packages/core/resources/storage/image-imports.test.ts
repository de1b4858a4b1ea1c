import { headLength } from '@purlin/contract/rules/images/formats'
import { importLimits } from '@purlin/contract/rules/images/imports'
import { GiB, MiB } from '@purlin/contract/rules/limits'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { withoutRequest } from '#/context.ts'
import { NotDownloaded } from '#/ports.ts'
import { insertNamed } from '#/resources/kind/rows.ts'
import { charge, readUse } from '#/resources/silos/quotas.ts'
import { inDb } from '#/testing/networks/networks.ts'
import { importPorts, type ServedFile } from '#/testing/images/imports.ts'
import { violations } from '#/testing/state.ts'
import { cheapSha256, openWorld, type TestWorld, type Who } from '#/testing/world.ts'

const url = 'https://images.example.org/disk.raw'
const withPassword = ['https:', '', 'user:word@example.org', 'x'].join('/')
const query = { project: 'demo' }
const noise = (length: number) => Uint8Array.from({ length }, (_, at) => (at * 31 + (at >> 8)) & 0xff)
const file = noise(3 * MiB + 100)
const hashed = cheapSha256()
for (let at = 0; at < file.length; at += MiB) hashed.update(file.subarray(at, at + MiB))
const hash = hashed.hex()

let w: TestWorld
const served: Record<string, ServedFile> = {}
const ports = importPorts(served)
beforeAll(async () => {
  w = await openWorld({ imageImports: ports })
})
beforeEach(() => {
  served[url] = { bytes: file }
  ports.requests.length = 0
})
/** Ends what a file waits for, also if its test has failed. */
let letGo = () => {}
afterEach(async () => {
  vi.restoreAllMocks()
  letGo()
  for (const { id } of await imports())
    await admin().imageImportDelete({ params: { imageImport: id }, query: {} })
  for (const { id } of (await admin().imageList({ query })).items)
    await admin().imageDelete({ params: { image: id }, query: {} })
  await settle()
  expect([await ports.files.list(), await w.world.blobs.list(), w.errors]).toEqual([[], [], []])
})
afterAll(async () => {
  expect(await inDb(w, violations)).toEqual([])
  await w.close()
})

const details = { description: 'made by a test', os: 'debian', version: '13', blockSize: 512 as const }
/** An import that ends wakes other loops. */
const settle = async () => {
  await w.settle()
  await w.settle()
}
/** Waits until this number of files has been asked for, and no more follow. */
const requested = async (count: number) => {
  await vi.waitFor(() => expect(ports.requests).toHaveLength(count), 60_000)
  await w.quiet()
  expect(ports.requests).toHaveLength(count)
}
const admin = () => w.as('admin')
interface Begun {
  url?: string
  sha256?: string
  name?: string
  who?: Who
  kept?: { protected?: boolean; tags?: Record<string, string> }
}
const begin = async (more: Begun = {}) => {
  const { url: from = url, who = 'admin', name = 'debian-13', sha256: digest, kept } = more
  const body = {
    ...details,
    ...kept,
    name,
    source: { type: 'url' as const, url: from },
    sha256: digest ?? null,
  }
  return w.as(who).imageImportCreate({ query, body })
}
const view = (imageImport = 'debian-13') => admin().imageImportView({ params: { imageImport }, query })
const imports = async () => (await admin().imageImportList({ query })).items
const storage = async () => (await inDb(w, (tx) => readUse({ tx }, w.ids['demo'] ?? ''))).storage
const outcome = async () => {
  const { state, problem } = await view()
  return `${state}: ${problem}`
}
/** The first bytes of an image, read through a disk of it. */
async function contentOf(image: string, length: number): Promise<Uint8Array> {
  const { id, layerId } = await inDb(w, (tx) =>
    tx.selectFrom('image').select(['id', 'layerId']).where('name', '=', image).executeTakeFirstOrThrow(),
  )
  expect(id).not.toBe('')
  return w.world.blobs.read([{ id: layerId ?? '', hasBytes: true }], 0, length)
}

describe('an image that the server fetches', () => {
  it('has the bytes of the file, whole GiB, the id of the import, and leaves nothing else', async () => {
    const made = await begin({ sha256: hash.toUpperCase(), who: 'projectCollaborator' })
    expect(made).toMatchObject({ state: 'receiving', received: 0, size: null, source: { type: 'url', url } })
    await settle()
    const image = await admin().imageView({ params: { image: 'debian-13' }, query })
    expect(image).toMatchObject({ ...details, id: made.id, size: GiB, projectId: w.ids['demo'] })
    expect(image.digest).toMatchObject({ type: 'sha256' })
    expect(await contentOf('debian-13', file.length)).toEqual(file)
    expect(await imports()).toEqual([])
    expect(await ports.files.list()).toEqual([])
    await expect(view()).rejects.toMatchObject({ status: 404 })
  })

  it('gets the tags and the protection that its import was given, and no others', async () => {
    const kept = { protected: true, tags: { env: 'prod' } }
    const made = await begin({ kept, name: 'kept' })
    expect(made).toMatchObject(kept)
    await begin({ name: 'plain' })
    await settle()
    const images = await admin().imageList({ query: { ...query, filter: ['tag:env=prod'] } })
    expect(images.items).toMatchObject([{ name: 'kept', ...kept }])
    const plain = await admin().imageView({ params: { image: 'plain' }, query })
    expect(Object.keys(plain)).not.toEqual(expect.arrayContaining(['tags']))
    await expect(admin().imageDelete({ params: { image: 'kept' }, query })).rejects.toMatchObject({
      status: 400,
    })
    const { id } = made
    await admin().imageProtectionUpdate({ params: { image: id }, query: {}, body: { protected: false } })
  })

  it('can be cancelled although the image would be protected, and refuses tags that are none', async () => {
    served[url] = { bytes: file, breaksAt: MiB }
    await begin({ kept: { protected: true } })
    await admin().imageImportDelete({ params: { imageImport: 'debian-13' }, query })
    expect(await imports()).toEqual([])
    await expect(begin({ kept: { tags: { 'a b': '' } } })).rejects.toMatchObject({ status: 400 })
  })

  it('continues where the connection broke, if the file is the same, and also after a restart', async () => {
    served[url] = { bytes: file, breaksAt: 2 * MiB }
    await begin()
    await settle()
    // The loop records from time to time how much was received.
    await inDb(w, (tx) => tx.updateTable('imageImport').set({ received: MiB }).execute())
    expect(await outcome()).toBe('receiving: The connection broke. It tries again.')
    await w.restart()
    served[url] = { bytes: file }
    await w.advance(5_000)
    await settle()
    expect(ports.requests).toEqual([null, MiB])
    expect(await contentOf('debian-13', file.length)).toEqual(file)
  })

  it('begins again if the file has changed since', async () => {
    served[url] = { bytes: file, breaksAt: 2 * MiB }
    await begin()
    await settle()
    await inDb(w, (tx) => tx.updateTable('imageImport').set({ received: MiB }).execute())
    served[url] = { bytes: file.toReversed(), validator: '"2"' }
    await w.advance(5_000)
    await settle()
    expect(await contentOf('debian-13', file.length)).toEqual(file.toReversed())
    expect(await ports.files.list()).toEqual([])
  })

  it('fails after eight attempts without progress, and at once if no attempt can succeed', async () => {
    served[url] = { bytes: file, refused: new NotDownloaded('No answer', { mayPass: true }) }
    await begin()
    for (let attempt = 1; attempt < 8; attempt++) {
      await settle()
      expect(await outcome()).toBe('receiving: No answer. It tries again.')
      await w.jump(5_000 * 2 ** attempt)
    }
    expect(await outcome()).toBe('failed: No answer')
    await begin({ name: 'other', url: 'https://images.example.org/gone' })
    await settle()
    expect(await view('other')).toMatchObject({ state: 'failed', problem: 'The server answered 404' })
  })

  it.each<[string, Uint8Array, RegExp]>([
    ['is empty', new Uint8Array(0), /^failed: The file is empty$/],
    ['is a web page', new TextEncoder().encode('<html>Not here</html>'), /^failed: The file is a web page/],
    ['cannot be unpacked', Uint8Array.of(0x1f, 0x8b, 8, 0), /^failed: No gzip in tests$/],
  ])('fails with the reason if the file %s', async (_, bytes, reason) => {
    served[url] = { bytes }
    await begin()
    await settle()
    expect(await outcome()).toMatch(reason)
    expect(await ports.files.list()).toEqual([])
  })

  it('fails if its digest differs, or another image has taken its name', async () => {
    await begin({ sha256: '0'.repeat(64) })
    await settle()
    expect(await outcome()).toBe(`failed: The file has the SHA-256 ${hash}, not the one that was given`)
    await admin().imageImportDelete({ params: { imageImport: 'debian-13' }, query })
    let go = () => {}
    served[url] = { bytes: file, until: new Promise<void>((resolve) => (go = resolve)) }
    await begin()
    await w.quiet()
    const projectId = w.ids['demo'] ?? ''
    const other = { ...details, id: w.world.ids.uuid(), name: 'debian-13', timeCreated: 1, timeModified: 1 }
    const scope = { siloId: w.ids['acme'] ?? '', projectId, scopeId: projectId }
    const bytes = {
      size: GiB,
      layerId: null,
      digest: null,
      digestDueAt: null,
      isProtected: null,
      timeLastUsed: 0,
      tagsJson: null,
    }
    await inDb(w, (tx) =>
      insertNamed({ ...withoutRequest(tx), world: w.world }, 'image', { ...other, ...scope, ...bytes }),
    )
    go()
    await settle()
    expect(await outcome()).toBe('failed: already exists: project-image "debian-13"')
  })

  it('is cancelled by deleting the import, at any time', async () => {
    let go = () => {}
    served[url] = { bytes: file, until: new Promise<void>((resolve) => (go = resolve)) }
    await begin()
    await w.quiet()
    await admin().imageImportDelete({ params: { imageImport: 'debian-13' }, query })
    go()
    await settle()
    expect((await admin().imageList({ query })).items).toEqual([])
    expect(await ports.files.list()).toEqual([])
  })

  it('is charged its file, then its disk too, until it has ended or is cancelled', async () => {
    const before = await storage()
    let go = () => {}
    served[url] = { bytes: file, until: new Promise<void>((resolve) => (go = resolve)) }
    await begin()
    await begin({ name: 'cancelled' })
    await w.quiet()
    expect(await storage()).toBe(before + 2 * GiB)
    await admin().imageImportDelete({ params: { imageImport: 'cancelled' }, query })
    expect(await storage()).toBe(before + GiB)
    let whileUnpacked = 0
    vi.spyOn(w.world.blobs, 'flush').mockImplementationOnce(async () => {
      whileUnpacked = await storage()
    })
    go()
    await settle()
    expect([whileUnpacked, await storage()]).toEqual([before + 2 * GiB, before])
    served[url] = { bytes: file }
    await begin({ name: 'other', sha256: '0'.repeat(64) })
    await settle()
    expect(await view('other')).toMatchObject({ state: 'failed' })
    expect(await storage()).toBe(before)
  })

  it('waits while the quota of its silo has no room for it, and fails at once if it never can', async () => {
    const before = await storage()
    const quota = { cpus: 1000, memory: 1000 * GiB }
    const limitTo = (bytes: number) =>
      w.as('fleetAdmin').siloQuotasUpdate({ params: { silo: 'acme' }, body: { ...quota, storage: bytes } })
    const { storage: usual } = await w.as('fleetAdmin').siloQuotasView({ params: { silo: 'acme' } })
    const chargeSilo = (bytes: number) =>
      inDb(w, (tx) =>
        charge(
          { tx, now: w.clock.now() },
          { id: 'charged', projectId: w.ids['demo'] ?? '', siloId: w.ids['acme'] ?? '' },
          { storage: bytes },
        ),
      )
    const used = (await w.as('fleetAdmin').siloUtilizationView({ params: { silo: 'acme' }, query: {} }))
      .provisioned.storage
    await limitTo(used + GiB)
    await begin()
    await settle()
    expect(await outcome()).toMatch(/^failed: .* Storage Limit Exceeded: 1 GiB wanted, 0 B left/)
    await limitTo(used + 5 * GiB)
    await chargeSilo(4 * GiB)
    await begin({ name: 'waiting' })
    await settle()
    expect((await view('waiting')).problem).toMatch(
      /Limit Exceeded: 1 GiB wanted, 0 B left .* It tries again/,
    )
    await chargeSilo(-4 * GiB)
    await w.advance(60_000)
    await settle()
    expect((await admin().imageList({ query })).items).toMatchObject([{ name: 'waiting' }])
    await chargeSilo(4 * GiB)
    await begin({ name: 'late', sha256: '0'.repeat(64) })
    await settle()
    const hashed = vi.spyOn(w.world, 'sha256')
    const day = 24 * 3_600_000
    const isOld = (timeCreated: number) =>
      inDb(w, (tx) => tx.updateTable('imageImport').set({ timeCreated }).where('name', '=', 'late').execute())
    await isOld(w.clock.now() - day)
    await w.advance(60_000)
    await settle()
    const { dueAt } = await inDb(w, (tx) =>
      tx.selectFrom('imageImport').select('dueAt').where('name', '=', 'late').executeTakeFirstOrThrow(),
    )
    expect(dueAt).toBeGreaterThan(w.clock.now() + 3_500_000)
    await isOld(w.clock.now() - 7 * day)
    await w.jump(3_600_000)
    await settle()
    expect(hashed).not.toHaveBeenCalled()
    expect(await view('late')).toMatchObject({ state: 'failed' })
    expect((await view('late')).problem).toMatch(/Limit Exceeded/)
    await admin().imageImportDelete({ params: { imageImport: 'late' }, query })
    await chargeSilo(-4 * GiB)
    await limitTo(used)
    await begin({ name: 'other' })
    await settle()
    expect(await view('other')).toMatchObject({ state: 'failed', received: 0 })
    const source = { type: 'upload' as const, size: file.length }
    const upload = { ...details, name: 'sent', source }
    await expect(admin().imageImportCreate({ query, body: upload })).rejects.toMatchObject({ status: 507 })
    expect(await storage()).toBe(before)
    await limitTo(Number(usual))
  })

  it('hides the query of its address, which may be signed, and forgets it when it fails', async () => {
    const stored = () => inDb(w, (tx) => tx.selectFrom('imageImport').select('url').execute())
    const until = new Promise<void>((_, reject) => {
      letGo = () => reject(new NotDownloaded('The server answered 404', { mayPass: false }))
    })
    served[`${url}?signature=secret`] = { bytes: file, until }
    await begin({ url: `${url}?signature=secret` })
    await requested(1)
    expect(JSON.stringify(await imports())).not.toContain('secret')
    expect(await stored()).toEqual([{ url: `${url}?signature=secret` }])
    letGo()
    await settle()
    expect(await outcome()).toBe('failed: The server answered 404')
    expect(await view()).toMatchObject({ source: { url } })
    expect(await stored()).toEqual([{ url }])
  })

  it('is given up for now if its server is slow, and for good after eight attempts, whatever came', async () => {
    // Each attempt makes progress before it becomes slow.
    const before = async () => w.clock.jump(31_000)
    served[url] = { bytes: file, inSteps: { of: 500_000, before } }
    await begin()
    for (let attempt = 1; attempt < 8; attempt++) {
      await settle()
      expect(await outcome()).toBe('receiving: The server sends less than 1 MiB a minute. It tries again.')
      await w.jump(5_000 * 2 ** attempt)
    }
    expect(await outcome()).toBe('failed: The server sends less than 1 MiB a minute')
  })

  it('waits while its silo has two others, and does not keep those of other silos waiting', async () => {
    let go = () => {}
    served[url] = { bytes: file, until: new Promise<void>((resolve) => (go = resolve)) }
    letGo = go
    for (const name of ['one', 'two', 'three']) await begin({ name })
    await requested(2)
    const moveTo = (siloId = '') =>
      inDb(w, (tx) => tx.updateTable('imageImport').set({ siloId }).where('name', '=', 'three').execute())
    const { id } = await admin().imageImportView({ params: { imageImport: 'three' }, query })
    const chargeSilo = (siloId = '', bytes: number) =>
      inDb(w, (tx) =>
        charge(
          { tx, now: w.clock.now() },
          { id, projectId: w.ids['demo'] ?? '', siloId },
          { storage: bytes },
        ),
      )
    await moveTo(w.ids['other'])
    // Wakes the loop.
    await begin({ name: 'four' })
    await requested(3)
    await moveTo(w.ids['acme'])
    await chargeSilo(w.ids['other'], -GiB)
    await chargeSilo(w.ids['acme'], GiB)
    await admin().imageImportDelete({ params: { imageImport: 'three' }, query })
    go()
    await settle()
    expect((await admin().imageList({ query })).items).toHaveLength(3)
  })

  it('is tried again while the volume has no room for its disk, and fails after eight attempts', async () => {
    vi.spyOn(ports.files, 'free').mockResolvedValue(file.length)
    await begin()
    for (let attempt = 1; attempt < 8; attempt++) {
      await settle()
      expect(await outcome()).toMatch(/^receiving: The volume .* has no room for it\. It tries again\.$/)
      await w.jump(60_000)
    }
    expect(await outcome()).toBe('failed: The volume of the data folder has no room for it')
  })

  it('ends the program that unpacks it once the import is deleted', async () => {
    let ended = 0
    vi.spyOn(ports.unpacker, 'unpack').mockImplementation(async function* (_id, _format, lost) {
      yield new Uint8Array(512)
      await lost
      ended++
      throw new Error('the program has ended')
    })
    served[url] = { bytes: Uint8Array.of(0x1f, 0x8b, 8, 0) }
    await begin()
    await w.quiet()
    await admin().imageImportDelete({ params: { imageImport: 'debian-13' }, query })
    expect(ended).toBe(0)
    // The claim is renewed.
    await w.advance(3_000)
    expect(ended).toBe(1)
  })

  it.each([
    ['ftp://example.org/x', 'an address begins with https:// or http://'],
    [withPassword, 'an address must not contain a user name or password'],
    ['disk.raw', 'an address begins with https:// or http://'],
  ])('cannot come from %s', async (address, message) => {
    await expect(begin({ url: address })).rejects.toMatchObject({
      status: 400,
      message: expect.stringContaining(message) as string,
    })
  })

  it('needs a free name', async () => {
    await begin()
    await expect(begin()).rejects.toMatchObject({ code: 'ObjectAlreadyExists' })
    await settle()
    await expect(begin()).rejects.toMatchObject({ message: 'already exists: project-image "debian-13"' })
  })
})

describe('an image that is uploaded', () => {
  const size = file.length
  const create = (length = size) =>
    admin().imageImportCreate({
      query,
      body: { ...details, name: 'debian-13', source: { type: 'upload', size: length } },
    })
  const part = async (offset: number, body: Uint8Array<ArrayBuffer>, who: Who = 'admin') => {
    const { status, json } = await w.raw({
      method: 'PUT',
      url: `/v1/image-imports/debian-13/part?project=demo&offset=${offset}`,
      who,
      headers: { 'content-type': 'application/octet-stream' },
      body,
    })
    const { received, message } = json as { received?: number; message?: string }
    return `${status} ${received ?? message ?? ''}`
  }

  it('arrives in parts, continues where it was broken off, and becomes an image with the last one', async () => {
    await create()
    expect(await part(0, file.slice(0, MiB))).toBe(`200 ${MiB}`)
    expect(await part(0, file.slice(0, MiB))).toBe(`409 the import continues at offset ${MiB}, not 0`)
    expect(await part(MiB, new Uint8Array(0))).toBe('400 a part has at least one byte')
    expect(await part(MiB, file.slice(0))).toMatch(/^400 the part ends at/)
    expect(await part(MiB, file.slice(MiB), 'projectViewer')).toMatch(/^403/)
    await w.restart()
    expect(await part(MiB, file.slice(MiB))).toBe(`200 ${size}`)
    await settle()
    expect(await contentOf('debian-13', size)).toEqual(file)
  })

  it('is refused with its first part if the quota has no room for the disk in it', async () => {
    const head = new Uint8Array(headLength)
    const header = new DataView(head.buffer)
    const holds = (disk: number) => {
      for (const [at, value] of [0x51_46_49_fb, 3].entries()) header.setUint32(at * 4, value)
      header.setBigUint64(24, BigInt(disk))
    }
    const fleet = w.as('fleetAdmin')
    const silo = { params: { silo: 'acme' } }
    const quotas = await fleet.siloQuotasView(silo)
    await create()
    const before = await storage()
    const { provisioned } = await fleet.siloUtilizationView({ ...silo, query: {} })
    const limit = { cpus: 1000, memory: 1000 * GiB, storage: provisioned.storage + 3 * GiB }
    await fleet.siloQuotasUpdate({ ...silo, body: limit })
    holds(3 * GiB + 1)
    expect(await part(0, head)).toMatch(/^507 .*Storage Limit Exceeded: 4 GiB wanted, 3 GiB left/)
    expect([(await view()).received, await storage()]).toEqual([0, before])
    holds(3 * GiB)
    expect(await part(0, head)).toBe(`200 ${headLength}`)
    expect(await storage()).toBe(before + 3 * GiB)
    await fleet.siloQuotasUpdate({ ...silo, body: { ...limit, storage: Number(quotas.storage) } })
  })

  it('keeps what another server has received', async () => {
    await create()
    const set = (to: object) => inDb(w, (tx) => tx.updateTable('imageImport').set(to).execute())
    const flush = vi.spyOn(ports.files, 'flush')
    const changes: { received?: number; fileId?: string; state?: 'unpacking' }[] = [
      { received: 1 },
      { fileId: w.world.ids.uuid() },
      { state: 'unpacking' },
    ]
    for (const change of changes) {
      const { received, fileId, state } = await inDb(w, (tx) =>
        tx.selectFrom('imageImport').select(['received', 'fileId', 'state']).executeTakeFirstOrThrow(),
      )
      flush.mockImplementationOnce(async () => void (await set(change)))
      expect(await part(0, file.slice(0, MiB))).toBe('409 another request has sent this part')
      await set({ received, fileId, state })
    }
    expect(await part(0, file.slice(0, MiB))).toBe(`200 ${MiB}`)
  })

  it('counts for its project until it has ended', async () => {
    const upload = (name: string) =>
      admin().imageImportCreate({ query, body: { ...details, name, source: { type: 'upload', size } } })
    await begin({ name: 'failed', url: 'https://images.example.org/gone' })
    await settle()
    const most = importLimits.unfinished
    for (let i = 0; i < most; i++) await upload(`n${i}`)
    await expect(upload('more')).rejects.toMatchObject({
      status: 507,
      message: expect.stringContaining(
        `Unfinished image import Limit Exceeded: the project has ${most} of ${most}`,
      ) as string,
    })
    await admin().imageImportDelete({ params: { imageImport: 'n0' }, query })
    await upload('more')
  })

  it('has a size, and takes no parts if the server fetches it', async () => {
    await expect(create(0)).rejects.toMatchObject({ status: 400 })
    await expect(create(2 ** 50)).rejects.toMatchObject({ status: 400 })
    served[url] = { bytes: file, refused: new NotDownloaded('No answer', { mayPass: true }) }
    await begin()
    expect(await part(0, file.slice(0, 1))).toBe('400 the server fetches this image: it takes no parts')
  })
})

it('where no images can be imported, the answer says why', async () => {
  const other = await openWorld({ imageImports: 'the preview cannot fetch images' })
  const body = { ...details, name: 'x', source: { type: 'url' as const, url } }
  await expect(other.as('admin').imageImportCreate({ query, body })).rejects.toMatchObject({
    status: 503,
    message: expect.stringContaining('the preview cannot fetch images') as string,
  })
  await other.close()
})

it('an upload without a part for a day is forgotten', async () => {
  const own = importPorts()
  const other = await openWorld({ imageImports: own })
  const body = { ...details, name: 'x', source: { type: 'upload' as const, size: 2 } }
  await other.as('admin').imageImportCreate({ query, body })
  const [params, part] = [{ imageImport: 'x' }, Uint8Array.of(1)]
  await other.as('admin').imageImportAppend({ params, query: { ...query, offset: 0 }, body: part })
  expect(await inDb(other, violations)).toEqual([])
  expect(await own.files.list()).toHaveLength(1)
  await other.jump(25 * 3_600_000)
  expect(await inDb(other, (tx) => tx.selectFrom('imageImport').select('id').execute())).toEqual([])
  expect(await own.files.list()).toEqual([])
  expect(await inDb(other, violations)).toEqual([])
  await other.close()
})
