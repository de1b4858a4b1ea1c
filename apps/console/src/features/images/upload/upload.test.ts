import { KiB, MiB } from '@purlin/contract/rules/limits'
import { describe, expect, it, vi } from 'vitest'
import type { Sent } from '#/features/disks/imports/uploadRecords.ts'
import { ApiError } from '#/api/send.ts'
import {
  blocks,
  contentOf,
  importedDisk,
  openControlPlane,
  storageOf,
  type TestControlPlane,
} from '#/preview/testing.ts'
import type { Details } from './transfer/calls.ts'
import { chunkOf } from './transfer/chunk.ts'
import { FileUnreadable } from './transfer/reader.ts'
import { stepIndex, steps, type StepKey } from './state.ts'
import { advance, start } from './tracker.ts'
import { Upload, type UploadEnvironment, type UploadRequest } from './upload.ts'

const chunkSize = 512 * KiB
const details: Details = { name: 'web', description: 'Web', os: 'debian', version: '13' }

/** A file of this many chunks; the second one is zeros, the last one is short. */
function content(chunks: number): Uint8Array {
  const bytes = new Uint8Array((chunks - 1) * chunkSize + 1024)
  for (let at = 0; at < bytes.length; at += 512) bytes.fill(1 + ((at / 512) % 250), at, at + 512)
  return bytes.fill(0, chunkSize, 2 * chunkSize)
}

interface SetUp {
  bytes: Uint8Array
  plane: TestControlPlane
  records: Map<string, Sent>
  locks: Set<string>
  now: () => number
}
async function setUp({
  chunks = 4,
  bytes = content(chunks),
  plane,
  records = new Map<string, Sent>(),
  locks = new Set<string>(),
  now = () => performance.now() * 1e6,
}: Partial<SetUp> & { chunks?: number } = {}) {
  plane ??= await openControlPlane()
  const waits: number[] = []
  const read: UploadEnvironment['reader']['read'] = (offset, length, wanted) =>
    Promise.resolve(chunkOf(bytes.subarray(offset, offset + length), wanted))
  const reader = { read, close: () => undefined }
  const env: UploadEnvironment = {
    reader,
    records: {
      read: (id) => records.get(id),
      keep: (id, sent) => void (sent ? records.set(id, sent) : records.delete(id)),
    },
    takeLock: (disk) => {
      if (locks.has(disk)) return Promise.resolve(undefined)
      locks.add(disk)
      return Promise.resolve(() => void locks.delete(disk))
    },
    now,
    wait: (ms) => new Promise((resolve) => void (waits.push(ms), setTimeout(resolve))),
    changed: () => undefined,
  }
  const request: UploadRequest = {
    project: 'demo',
    blockSize: 512,
    file: { name: 'web.raw', size: bytes.length, lastModified: 1e12 },
  }
  return { plane, records, locks, waits, reader, bytes, env, request, upload: new Upload(env, request) }
}
const stepOf = (upload: Upload): StepKey | undefined => steps[upload.state.step]?.key
const clientOf = ({ world }: TestControlPlane) => world.as('projectCollaborator')
const query = { project: 'demo' }
const disksIn = async (plane: TestControlPlane) => (await clientOf(plane).diskList({ query })).items
async function onlyDiskIn(plane: TestControlPlane) {
  const [disk] = await disksIn(plane)
  if (!disk) throw new Error('there is no disk')
  return disk
}
const imagesIn = async (plane: TestControlPlane) => (await clientOf(plane).imageList({ query })).items
/** The names of all disks and snapshots. */
async function leftoversIn(plane: TestControlPlane): Promise<string[]> {
  const snapshots = (await clientOf(plane).snapshotList({ query })).items
  return [...(await disksIn(plane)), ...snapshots].map(({ name }) => name)
}
const serverError = () => new ApiError('call', 500, { message: 'inside' })
const lostConnection = () => new TypeError('Failed to fetch')
const callOf: Record<Exclude<StepKey, 'cleanUp'>, string> = {
  createDisk: 'POST /v1/disks',
  startImport: 'POST /v1/disks/{disk}/bulk-write-start',
  sendFile: 'POST /v1/disks/{disk}/blocks',
  stopImport: 'POST /v1/disks/{disk}/bulk-write-stop',
  finalize: 'POST /v1/disks/{disk}/finalize',
  createImage: 'POST /v1/images',
}
const everyStep = Object.entries(callOf) as [StepKey, string][]

/** Pseudo-random integers below a bound, from a seed. */
function randomFrom(seed: number) {
  let state = seed
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** Fails the first `times` calls of an operation. */
function failing(plane: TestControlPlane, call: string, error: () => Error, times = Infinity) {
  let left = times
  plane.before((name) => {
    if (name === call && left-- > 0) throw error()
  })
}
const imageOf = ({ world }: TestControlPlane, length: number, image = 'web') =>
  contentOf(world, ['image', image], [0, length])
// Vitest compares large arrays element by element, which is slow.
const expectSame = (a: Uint8Array, b: Uint8Array) => expect(a.every((byte, i) => byte === b[i])).toBe(true)

describe('an upload', () => {
  it('creates an image of the whole file, sends no zeros, and removes everything temporary', async () => {
    const { plane, upload, bytes, records } = await setUp({ chunks: 9 })
    const offsets: unknown[] = []
    plane.before((call, { offset }) => void (call === callOf.sendFile && offsets.push(Number(offset))))
    await upload.run(details)
    expect(upload.state).toMatchObject({ stage: { at: 'done', leftovers: [] }, step: 7, done: bytes.length })
    expect(await imagesIn(plane)).toMatchObject([details])
    expectSame(await imageOf(plane, bytes.length), bytes)
    expect(offsets).toHaveLength(8)
    expect(offsets).not.toContain(chunkSize)
    expect(await leftoversIn(plane)).toEqual([])
    expect(records.size).toBe(0)
  })

  it('sends at most six chunks at a time', async () => {
    const { plane, upload } = await setUp({ chunks: 20 })
    let most = 0
    let now = 0
    plane.before(async (call) => {
      if (call !== callOf.sendFile) return
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now--
    })
    await upload.run(details)
    expect(most).toBe(6)
  })

  it('sends a chunk at most twice more after server errors', async () => {
    const good = await setUp()
    failing(good.plane, callOf.sendFile, serverError, 2)
    await good.upload.run(details)
    expect(good.upload.state.stage.at).toBe('done')
    const bad = await setUp({ chunks: 1 })
    failing(bad.plane, callOf.sendFile, serverError)
    await bad.upload.run(details)
    expect(bad.upload.state.stage.at).toBe('failed')
    expect(bad.plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(3)
    expect(bad.waits).toEqual([1000, 2000])
  })
})

describe('a failed step', () => {
  it.each(everyStep)('(%s) stops the upload; a retry continues from it', async (key, call) => {
    const { plane, upload, bytes } = await setUp()
    failing(plane, call, serverError, key === 'sendFile' ? 12 : 1)
    await upload.run(details)
    expect(stepOf(upload)).toBe(key)
    expect(upload.state.stage).toMatchObject({
      at: 'failed',
      problem: { message: 'Something went wrong. Please try again.' },
    })
    plane.before(() => undefined)
    await upload.run(details)
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    expectSame(await imageOf(plane, bytes.length), bytes)
    expect(await leftoversIn(plane)).toEqual([])
  })

  it.each(everyStep)('(%s) leaves nothing after cancelling', async (_, call) => {
    const { plane, upload } = await setUp()
    failing(plane, call, serverError)
    await upload.run(details)
    plane.before(() => undefined)
    await upload.cancel()
    expect(upload.state.stage).toEqual({ at: 'cancelled', leftovers: [] })
    expect(await leftoversIn(plane)).toEqual([])
    expect(await imagesIn(plane)).toEqual([])
  })

  it('shows the message of the server, except for internal errors', async () => {
    const { plane, upload } = await setUp()
    failing(
      plane,
      callOf.createDisk,
      () => new ApiError('diskCreate', 507, { message: 'Storage Limit Exceeded' }),
    )
    await upload.run(details)
    expect(upload.state.stage).toMatchObject({ problem: { message: 'Storage Limit Exceeded' } })
  })

  it('that creates the image keeps the snapshot for a retry with another name', async () => {
    const { plane, upload } = await setUp()
    const { snapshot, image } = storageOf(plane.world)
    await importedDisk(plane.world, 'base', blocks(1))
    await image('web', (await snapshot('base', 'base')).id)
    await upload.run(details)
    expect(upload.isFileUploaded).toBe(true)
    const sent = plane.calls.length
    await upload.run({ ...details, name: 'web-2' })
    expect(upload.state.stage.at).toBe('done')
    expect(plane.calls.slice(sent)).not.toContain(callOf.sendFile)
    expect((await imagesIn(plane)).map(({ name }) => name)).toEqual(['web', 'web-2'])
  })

  it('that cannot read the file is not taken for a lost connection', async () => {
    const { upload, reader } = await setUp()
    reader.read = () => Promise.reject(new FileUnreadable('gone'))
    await upload.run(details)
    expect(upload.state.stage).toMatchObject({
      at: 'failed',
      problem: { message: expect.stringMatching(/read/) as string },
    })
  })
})

describe('cancelling', () => {
  it.each(everyStep)('in step %s removes everything created', async (key, call) => {
    const { plane, upload } = await setUp()
    let gaveUp: Promise<void> | undefined
    plane.before((name) => {
      if (name === call) gaveUp ??= upload.cancel()
    })
    await upload.run(details)
    await gaveUp
    expect(upload.state.stage).toEqual({ at: 'cancelled', leftovers: [] })
    expect(upload.state.step).toBe(stepIndex(key))
    expect(await leftoversIn(plane)).toEqual([])
    expect(await imagesIn(plane)).toEqual([])
  })

  it('ends the delay before a retry', async () => {
    const { plane, upload } = await setUp({ chunks: 1 })
    failing(plane, callOf.sendFile, lostConnection)
    const run = upload.run(details)
    await vi.waitFor(() => expect(plane.calls).toContain(callOf.sendFile), 60_000)
    await upload.cancel()
    await run
    const sent = plane.calls.filter((call) => call === callOf.sendFile).length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(sent)
  })

  it('has no effect during the clean-up', async () => {
    const { plane, upload } = await setUp()
    plane.before((call) => {
      if (call === 'DELETE /v1/snapshots/{snapshot}') void upload.cancel()
    })
    await upload.run(details)
    expect(upload.state.stage.at).toBe('done')
    expect(await imagesIn(plane)).toHaveLength(1)
  })

  it('names what could not be removed, and removes it on request', async () => {
    const { plane, upload } = await setUp()
    failing(plane, callOf.createImage, serverError)
    await upload.run(details)
    failing(plane, 'DELETE /v1/disks/{disk}', serverError)
    await upload.cancel()
    const [name] = await leftoversIn(plane)
    expect(upload.state.stage).toMatchObject({ at: 'cancelled', leftovers: [{ kind: 'disk', name }] })
    plane.before(() => undefined)
    await upload.removeLeftovers()
    expect(upload.state.stage).toEqual({ at: 'cancelled', leftovers: [] })
    expect(await leftoversIn(plane)).toEqual([])
  })
})

describe('a lost connection', () => {
  it.each(everyStep)('in step %s pauses the upload until it is back', async (_, call) => {
    const { plane, upload, bytes, waits } = await setUp()
    const seen = new Set<string>()
    upload.subscribe(() => seen.add(JSON.stringify(upload.state.stage)))
    failing(plane, call, lostConnection, 3)
    await upload.run(details)
    expect(seen).toContain('{"at":"paused","reason":"connection"}')
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    expectSame(await imageOf(plane, bytes.length), bytes)
    expect(waits[0]).toBe(1000)
  })

  it.each(everyStep)('that loses the response of step %s does not repeat its effect', async (_, call) => {
    const { plane, upload } = await setUp()
    let isLost = false
    plane.after((name) => {
      if (isLost || name !== call) return
      isLost = true
      throw lostConnection()
    })
    await upload.run(details)
    expect(isLost).toBe(true)
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(await imagesIn(plane)).toHaveLength(1)
    expect(await leftoversIn(plane)).toEqual([])
  })

  it('(a lost session) waits for a sign-in, and a pause by the user outlasts it', async () => {
    const { plane, upload } = await setUp()
    failing(plane, callOf.sendFile, () => new ApiError('write', 401, { message: '' }), 3)
    const run = upload.run(details)
    await vi.waitFor(() => expect(upload.state.stage).toEqual({ at: 'paused', reason: 'session' }), 60_000)
    upload.pause()
    upload.resume('session')
    expect(upload.state.stage).toEqual({ at: 'paused', reason: 'user' })
    upload.resume()
    await run
    expect(upload.state.stage.at).toBe('done')
  })
})

describe('an interrupted upload', () => {
  interface Interruption {
    /** Whether a chunk never arrives, by its offset and the number of chunks sent before. */
    hangs: (offset: number, sent: number) => boolean
    /** The number of chunks after which no more are sent. */
    until: number
  }
  const afterPieces = (count: number): Interruption => ({
    hangs: (_, sent) => sent >= count,
    until: count + 6,
  })

  /** Interrupts an upload; gives its disk, records and plane. */
  async function interrupt({ hangs, until }: Interruption, given: Parameters<typeof setUp>[0] = {}) {
    const first = await setUp({ chunks: 12, ...given })
    const counts = { started: 0, hanging: 0, arrived: 0 }
    first.plane.before((call, { offset }) => {
      if (call !== callOf.sendFile || !hangs(Number(offset), counts.started++)) return
      counts.hanging++
      return first.plane.hang()
    })
    first.plane.after((call) => void (call === callOf.sendFile && counts.arrived++))
    void first.upload.run(details)
    await vi.waitFor(
      () => expect([counts.started, counts.arrived + counts.hanging]).toEqual([until, until]),
      60_000,
    )
    // The last response is processed before the page is closed.
    await new Promise((resolve) => setTimeout(resolve))
    const disk = await onlyDiskIn(first.plane)
    first.plane.before(() => undefined)
    first.plane.calls.length = 0
    // The browser releases the locks when the page is closed.
    first.locks.clear()
    return { ...first, request: { ...first.request, resumeDisk: disk } }
  }
  const sentBy = ({ calls }: TestControlPlane) => calls.filter((call) => call === callOf.sendFile).length

  it('resumes with the same file where it stopped', async () => {
    const { plane, env, request, bytes } = await interrupt(afterPieces(5))
    const next = new Upload(env, request)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).not.toContain('POST /v1/disks')
    // Eleven chunks have content; five of them had arrived, the sixth was zeros.
    expect(sentBy(plane)).toBe(6)
    expectSame(await imageOf(plane, bytes.length), bytes)
  })

  it('has a current record if the page saves it when it is closed', async () => {
    const { plane, records, env, request, upload } = await interrupt(afterPieces(5), { now: () => 0 })
    expect([...records.values()]).toMatchObject([{ bytes: 0 }])
    upload.saveProgress()
    await new Upload(env, request).run(details)
    expect(sentBy(plane)).toBe(6)
    upload.saveProgress()
    await upload.cancel()
    upload.saveProgress()
    expect(records.size).toBe(0)
  })

  it.each([
    ['', () => undefined],
    [', even if the connection is lost while the old disk is removed', lostConnection],
  ])('starts over with a new disk if the file differs from what was sent%s', async (_, trouble) => {
    const { plane, records, locks, request } = await interrupt(afterPieces(5))
    const other = await setUp({ plane, records, locks, bytes: content(12).fill(9, 0, 512) })
    let isFirst = true
    plane.before((call) => {
      const error = call === 'DELETE /v1/disks/{disk}' && isFirst ? trouble() : undefined
      isFirst &&= !error
      if (error) throw error
    })
    const next = new Upload(other.env, request)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).toContain('POST /v1/disks')
    expectSame(await imageOf(plane, other.bytes.length), other.bytes)
    expect(await leftoversIn(plane)).toEqual([])
    expect(locks.size).toBe(0)
  })

  it('does not remove the disk of a different file if another upload has locked it', async () => {
    const { plane, records, locks, request } = await interrupt(afterPieces(5))
    const other = await setUp({ plane, records, locks, bytes: content(12).fill(9, 0, 512) })
    failing(plane, callOf.stopImport, lostConnection, 1)
    other.env.wait = () => Promise.resolve(void locks.add(request.resumeDisk.name))
    const next = new Upload(other.env, request)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expectSame(await imageOf(plane, other.bytes.length), other.bytes)
    expect(await leftoversIn(plane)).toEqual([request.resumeDisk.name])
  })

  it('starts over with a new disk without a record', async () => {
    const { plane, records, locks, env, request, bytes } = await interrupt(afterPieces(5))
    records.clear()
    const next = new Upload(env, request)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).toContain('POST /v1/disks')
    expect(sentBy(plane)).toBe(11)
    expectSame(await imageOf(plane, bytes.length), bytes)
    // Another browser may be uploading to it.
    expect(await leftoversIn(plane)).toEqual([request.resumeDisk.name])
    expect(locks.size).toBe(0)
  })

  it.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    'leaves no data of an earlier file after the checkpoint (%i)',
    async (seed) => {
      const random = randomFrom(seed)
      const chunks = (bytes: Uint8Array, from: number) => {
        for (let at = from; at < bytes.length; at += chunkSize)
          bytes.fill(random(3) === 0 ? 0 : 1 + random(255), at, at + chunkSize)
        return bytes
      }
      const earlier = chunks(new Uint8Array(11 * chunkSize + 1024), 0)
      const gap = random(12) * chunkSize
      earlier.fill(7, gap, gap + chunkSize)
      const until = Array.from({ length: 12 }, (_, i) => earlier[i * chunkSize]).filter(Boolean).length
      const first = await interrupt({ hangs: (offset) => offset === gap, until }, { bytes: earlier })
      expect([...first.records.values()]).toMatchObject([{ bytes: gap }])
      const later = await setUp({ ...first, bytes: chunks(earlier.slice(), gap) })
      await new Upload(later.env, first.request).run(details)
      expect(later.plane.calls).not.toContain('POST /v1/disks')
      expectSame(await imageOf(later.plane, later.bytes.length), later.bytes)
    },
  )

  it('keeps its reach when it is interrupted again', async () => {
    const { plane, records, env, request } = await interrupt(afterPieces(5))
    const kept = { ...(records.get(request.resumeDisk.id) ?? { bytes: 0, sum: 0 }), reach: 512 * MiB }
    records.set(request.resumeDisk.id, kept)
    plane.before((call) => (call === callOf.sendFile ? plane.hang() : undefined))
    const next = new Upload(env, request)
    void next.run(details)
    await vi.waitFor(() => expect(sentBy(plane)).toBe(6), 60_000)
    next.saveProgress()
    expect(records.get(request.resumeDisk.id)).toEqual(kept)
  })

  it('sends zeros only up to the reach', async () => {
    const { plane, records, locks, request } = await interrupt(afterPieces(1))
    const bytes = content(12).fill(0, chunkSize)
    const checkpoint = advance(start, chunkOf(bytes.subarray(0, chunkSize), 'none'))
    records.set(request.resumeDisk.id, { ...checkpoint, reach: 3 * chunkSize + 1 })
    const offsets: unknown[] = []
    plane.before((call, { offset }) => void (call === callOf.sendFile && offsets.push(Number(offset))))
    await new Upload((await setUp({ plane, records, locks, bytes })).env, request).run(details)
    expect(offsets).toEqual([chunkSize, 2 * chunkSize, 3 * chunkSize])
    expectSame(await imageOf(plane, bytes.length), bytes)
  })
})

it('a server that takes blocks only in base64 gets them so', async () => {
  const { plane, upload, bytes } = await setUp({ chunks: 9 })
  failing(plane, callOf.sendFile, () => new ApiError('call', 404, { message: 'Not Found' }))
  await upload.run(details)
  expect(upload.state.stage.at).toBe('done')
  expectSame(await imageOf(plane, bytes.length), bytes)
  expect(plane.calls).toContain('POST /v1/disks/{disk}/bulk-write')
})

it('a record covers the chunks before they are sent, and is rarely saved for that', async () => {
  const { plane, records, env, request, reader } = await setUp({ now: () => 0 })
  const block = blocks(1)
  reader.read = (_, length) => Promise.resolve({ length, sum: 1, bytes: block })
  const reaches = new Set<number>()
  const keep = vi.spyOn(env.records, 'keep')
  plane.before((call, { offset }) => {
    if (call !== callOf.sendFile) return
    const [{ reach } = { reach: 0 }] = records.values()
    expect(reach).toBeGreaterThanOrEqual(Number(offset) + chunkSize)
    reaches.add(reach)
  })
  const upload = new Upload(env, { ...request, file: { ...request.file, size: 70 * MiB } })
  await upload.run(details)
  expect(upload.state.stage.at).toBe('done')
  expect([...reaches]).toEqual([chunkSize + 64 * MiB, 2 * chunkSize + 128 * MiB])
  // The other three: after creating the disk, after sending the file, and at the end.
  expect(keep).toHaveBeenCalledTimes(5)
})

describe('the lock of its disk', () => {
  it('is held from before its creation until after its deletion', async () => {
    const { plane, locks, upload } = await setUp()
    plane.before(() => expect([...locks]).toEqual([upload.diskName]))
    await upload.run(details)
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(locks.size).toBe(0)
  })

  it.each(everyStep)('is held after a failure in step %s until the upload is cancelled', async (_, call) => {
    const { plane, locks, upload } = await setUp()
    failing(plane, call, serverError)
    await upload.run(details)
    expect([...locks]).toEqual([upload.diskName])
    plane.before(() => undefined)
    await upload.cancel()
    expect(locks.size).toBe(0)
  })

  /** A running upload, and a request to resume with its disk. */
  async function startRunning() {
    const first = await setUp()
    const held = Promise.withResolvers<void>()
    first.plane.before((call) => (call === callOf.sendFile ? held.promise : undefined))
    const run = first.upload.run(details)
    await vi.waitFor(() => expect(first.plane.calls).toContain(callOf.sendFile), 60_000)
    const disk = await onlyDiskIn(first.plane)
    const finish = async () => {
      held.resolve()
      await run
      expect(first.upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    }
    return { ...first, finish, request: { ...first.request, resumeDisk: disk } }
  }

  it('prevents another upload from resuming with the disk', async () => {
    const { plane, records, locks, request, bytes, finish } = await startRunning()
    const second = await setUp({ plane, records, locks, bytes: content(4).fill(3, 0, 512) })
    const other = new Upload(second.env, request)
    const run = other.run({ ...details, name: 'web-2' })
    await vi.waitFor(async () => expect(await disksIn(plane)).toHaveLength(2), 60_000)
    await finish()
    await run
    expect(other.state.stage).toEqual({ at: 'done', leftovers: [] })
    expectSame(await imageOf(plane, bytes.length), bytes)
    expectSame(await imageOf(plane, bytes.length, 'web-2'), second.bytes)
    expect(await leftoversIn(plane)).toEqual([])
    expect([locks.size, records.size]).toEqual([0, 0])
  })

  it.each(everyStep)('protects the disk from an upload that is cancelled in step %s', async (_, call) => {
    const { plane, env, request, finish, locks } = await startRunning()
    const other = new Upload(env, request)
    let gaveUp: Promise<void> | undefined
    plane.before((name) => {
      if (name === call) gaveUp ??= other.cancel()
    })
    await other.run({ ...details, name: 'web-2' })
    await gaveUp
    expect(await leftoversIn(plane)).toEqual([request.resumeDisk.name])
    expect([...locks]).toEqual([request.resumeDisk.name])
    await finish()
  })

  it('passes to an upload that resumes with a leftover disk, which is then not removed', async () => {
    const { plane, records, locks, env, request, upload, bytes } = await setUp({ now: () => 0 })
    failing(plane, callOf.stopImport, serverError)
    await upload.run(details)
    await upload.cancel()
    expect(upload.state.stage).toMatchObject({ at: 'cancelled', leftovers: [{ name: upload.diskName }] })
    plane.before(() => undefined)
    const disk = await onlyDiskIn(plane)
    const next = new Upload(env, { ...request, resumeDisk: disk })
    let tidied: Promise<void> | undefined
    plane.before((call) => void (call === callOf.stopImport && (tidied ??= upload.removeLeftovers())))
    await next.run(details)
    await tidied
    expect(upload.state.stage).toEqual({ at: 'cancelled', leftovers: [] })
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls.filter((call) => call === 'POST /v1/disks')).toHaveLength(1)
    expectSame(await imageOf(plane, bytes.length), bytes)
    expect([locks.size, records.size]).toEqual([0, 0])
  })
})
