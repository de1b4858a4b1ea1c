import { fromBase64 } from '@purlin/contract/wire'
import { KiB, MiB } from '@purlin/contract/rules/limits'
import { describe, expect, it, vi } from 'vitest'
import type { Disk } from '../../../../../../parts/disk/disks.tsx'
import type { Sent } from '../../../../../../parts/disk/importsHere.ts'
import { ApiError } from '../../../../../../send.ts'
import type { Details } from './calls.ts'
import { pieceOf } from './pieces.ts'
import { FileUnreadable } from './reader.ts'
import { stepIndex, type StepKey } from './state.ts'
import { lostConnection, serverError, testPlane } from './testPlane.ts'
import { after, nothing } from './tracker.ts'
import { Upload, type Surroundings, type Wish } from './upload.ts'

const chunk = 512 * KiB
const details: Details = { name: 'web', description: 'Web', os: 'debian', version: '13' }

/** A file of so many pieces; the second one is zeros, the last one is short. */
function content(pieces: number): Uint8Array {
  const bytes = new Uint8Array((pieces - 1) * chunk + 1024)
  for (let at = 0; at < bytes.length; at += 512) bytes.fill(1 + ((at / 512) % 250), at, at + 512)
  return bytes.fill(0, chunk, 2 * chunk)
}

function setUp({
  pieces = 4,
  bytes = content(pieces),
  plane = testPlane(),
  records = new Map<string, Sent>(),
  locks = new Set<string>(),
  now = () => performance.now() * 1e6,
} = {}) {
  const waits: number[] = []
  const read: Surroundings['reader']['read'] = (offset, length, encode) =>
    Promise.resolve(pieceOf(bytes.subarray(offset, offset + length), encode))
  const reader = { read, close: () => undefined }
  const at: Surroundings = {
    ...plane.post,
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
  const wish: Wish = {
    project: 'demo',
    blockSize: 512,
    file: { name: 'web.raw', size: bytes.length, lastModified: 1e12 },
  }
  return { plane, records, locks, waits, reader, bytes, at, wish, upload: new Upload(at, wish) }
}
const stepOf = (upload: Upload): StepKey | undefined =>
  (['createDisk', 'startImport', 'sendFile', 'stopImport', 'finalize', 'createImage', 'cleanUp'] as const)[
    upload.state.step
  ]
const isLeft = ({ things }: ReturnType<typeof testPlane>) =>
  [...things.disks, ...things.snapshots].map(({ name }) => name)
const callOf: Record<Exclude<StepKey, 'cleanUp'>, string> = {
  createDisk: 'POST /v1/disks',
  startImport: 'POST /v1/disks/{disk}/bulk-write-start',
  sendFile: 'POST /v1/disks/{disk}/bulk-write',
  stopImport: 'POST /v1/disks/{disk}/bulk-write-stop',
  finalize: 'POST /v1/disks/{disk}/finalize',
  createImage: 'POST /v1/images',
}
const everyStep = Object.entries(callOf) as [StepKey, string][]

/** Numbers below a bound, the same ones for the same seed. */
function randomFrom(seed: number) {
  let state = seed
  return (bound: number): number => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * bound)
  }
}

/** Fails a call the first `times` times. */
function failing(plane: ReturnType<typeof testPlane>, call: string, error: () => Error, times = Infinity) {
  let left = times
  plane.intercept((name) => {
    if (name === call && left-- > 0) throw error()
  })
}
/** What an image holds. */
function imageOf(plane: ReturnType<typeof testPlane>, length: number, image = 'web'): Uint8Array {
  const bytes = new Uint8Array(length)
  for (const [offset, base64] of plane.piecesOf(image)) bytes.set(fromBase64(base64), offset)
  return bytes
}
// Vitest compares large arrays one number after the other.
const same = (a: Uint8Array, b: Uint8Array) => expect(a.every((byte, i) => byte === b[i])).toBe(true)

describe('an upload', () => {
  it('makes an image of the whole file, sends no zeros, and leaves nothing else', async () => {
    const { plane, upload, bytes, records } = setUp({ pieces: 9 })
    await upload.run(details)
    expect(upload.state).toMatchObject({ stage: { at: 'done', leftovers: [] }, step: 7, done: bytes.length })
    expect(plane.things.images).toMatchObject([details])
    same(imageOf(plane, bytes.length), bytes)
    expect(plane.piecesOf('web').has(chunk)).toBe(false)
    expect(isLeft(plane)).toEqual([])
    expect(records.size).toBe(0)
  })

  it('has at most six pieces under way', async () => {
    const { plane, upload } = setUp({ pieces: 20 })
    let most = 0
    let now = 0
    plane.intercept(async (call) => {
      if (call !== callOf.sendFile) return
      most = Math.max(most, ++now)
      await new Promise((resolve) => setTimeout(resolve, 1))
      now--
    })
    await upload.run(details)
    expect(most).toBe(6)
  })

  it('sends a piece again that the server failed at, twice, and not once more', async () => {
    const good = setUp()
    failing(good.plane, callOf.sendFile, serverError, 2)
    await good.upload.run(details)
    expect(good.upload.state.stage.at).toBe('done')
    const bad = setUp({ pieces: 1 })
    failing(bad.plane, callOf.sendFile, serverError)
    await bad.upload.run(details)
    expect(bad.upload.state.stage.at).toBe('failed')
    expect(bad.plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(3)
    expect(bad.waits).toEqual([1000, 2000])
  })
})

describe('a failure', () => {
  it.each(everyStep)('in step %s stops there; trying again goes on from there', async (key, call) => {
    const { plane, upload, bytes } = setUp()
    failing(plane, call, serverError, key === 'sendFile' ? 12 : 1)
    await upload.run(details)
    expect(stepOf(upload)).toBe(key)
    expect(upload.state.stage).toMatchObject({
      at: 'failed',
      problem: { message: 'Something went wrong. Please try again.' },
    })
    plane.intercept(() => undefined)
    await upload.run(details)
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    same(imageOf(plane, bytes.length), bytes)
    expect(plane.things.disks).toEqual([])
  })

  it.each(everyStep)('in step %s leaves nothing once it is given up', async (_, call) => {
    const { plane, upload } = setUp()
    failing(plane, call, serverError)
    await upload.run(details)
    plane.intercept(() => undefined)
    await upload.discard()
    expect(upload.state.stage).toEqual({ at: 'over', leftovers: [] })
    expect(isLeft(plane)).toEqual([])
    expect(plane.things.images).toEqual([])
  })

  it('is told in the server’s words if they are meant for people', async () => {
    const { plane, upload } = setUp()
    failing(
      plane,
      callOf.createDisk,
      () => new ApiError('diskCreate', 507, { message: 'Storage Limit Exceeded' }),
    )
    await upload.run(details)
    expect(upload.state.stage).toMatchObject({ problem: { message: 'Storage Limit Exceeded' } })
  })

  it('of the last call only keeps the snapshot, for another name', async () => {
    const { plane, upload } = setUp()
    plane.things.images.push({ id: 'taken', name: 'web', state: { state: '' } })
    await upload.run(details)
    expect(upload.isKept).toBe(true)
    const sent = plane.calls.length
    await upload.run({ ...details, name: 'web-2' })
    expect(upload.state.stage.at).toBe('done')
    expect(plane.calls.slice(sent)).not.toContain(callOf.sendFile)
    expect(plane.things.images.map(({ name }) => name)).toEqual(['web', 'web-2'])
  })

  it('to read the file is one, and no lost connection', async () => {
    const { upload, reader } = setUp()
    reader.read = () => Promise.reject(new FileUnreadable('gone'))
    await upload.run(details)
    expect(upload.state.stage).toMatchObject({
      at: 'failed',
      problem: { message: expect.stringMatching(/read/) as string },
    })
  })
})

describe('giving up', () => {
  it.each(everyStep)('in step %s removes all that was made', async (key, call) => {
    const { plane, upload } = setUp()
    let gaveUp: Promise<void> | undefined
    plane.intercept((name) => {
      if (name === call) gaveUp ??= upload.discard()
    })
    await upload.run(details)
    await gaveUp
    expect(upload.state.stage).toEqual({ at: 'over', leftovers: [] })
    expect(upload.state.step).toBe(stepIndex(key))
    expect(isLeft(plane)).toEqual([])
    expect(plane.things.images).toEqual([])
  })

  it('ends the waits for another attempt', async () => {
    const { plane, upload } = setUp({ pieces: 1 })
    failing(plane, callOf.sendFile, lostConnection)
    const run = upload.run(details)
    await vi.waitFor(() => expect(plane.calls).toContain(callOf.sendFile))
    await upload.discard()
    await run
    const sent = plane.calls.filter((call) => call === callOf.sendFile).length
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(sent)
  })

  it('comes too late while the temporary things are removed', async () => {
    const { plane, upload } = setUp()
    plane.intercept((call) => {
      if (call === 'DELETE /v1/snapshots/{snapshot}') void upload.discard()
    })
    await upload.run(details)
    expect(upload.state.stage.at).toBe('done')
    expect(plane.things.images).toHaveLength(1)
  })

  it('names what could not be removed, and removes it when asked once more', async () => {
    const { plane, upload } = setUp()
    failing(plane, callOf.createImage, serverError)
    await upload.run(details)
    failing(plane, 'DELETE /v1/disks/{disk}', serverError)
    await upload.discard()
    const [name] = isLeft(plane)
    expect(upload.state.stage).toMatchObject({ at: 'over', leftovers: [{ kind: 'disk', name }] })
    plane.intercept(() => undefined)
    await upload.tidy()
    expect(upload.state.stage).toEqual({ at: 'over', leftovers: [] })
    expect(isLeft(plane)).toEqual([])
  })
})

describe('a lost connection', () => {
  it.each(everyStep)('in step %s holds the upload up until it is back', async (_, call) => {
    const { plane, upload, bytes, waits } = setUp()
    const seen = new Set<string>()
    upload.subscribe(() => seen.add(JSON.stringify(upload.state.stage)))
    failing(plane, call, lostConnection, 3)
    await upload.run(details)
    expect(seen).toContain('{"at":"paused","why":"connection"}')
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    same(imageOf(plane, bytes.length), bytes)
    expect(waits[0]).toBe(1000)
  })

  it.each(everyStep)('after step %s was done but not answered does not do it twice', async (_, call) => {
    const { plane, upload } = setUp()
    const { send } = plane.post
    let isLost = false
    const losing = async (...args: Parameters<typeof send>) => {
      const answer: unknown = await send(...args)
      if (!isLost && plane.calls.at(-1) === call) {
        isLost = true
        throw lostConnection()
      }
      return answer
    }
    const { at, wish } = setUp()
    const again = new Upload({ ...at, ...plane.post, send: losing as typeof send }, wish)
    await again.run(details)
    expect(isLost).toBe(true)
    expect(again.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.things.images).toHaveLength(1)
    expect(isLeft(plane)).toEqual([])
    expect(upload.state.step).toBe(0)
  })

  it('of the session waits for the person, and their own pause outlasts it', async () => {
    const { plane, upload } = setUp()
    failing(plane, callOf.sendFile, () => new ApiError('write', 401, { message: '' }), 3)
    const run = upload.run(details)
    await vi.waitFor(() => expect(upload.state.stage).toEqual({ at: 'paused', why: 'session' }))
    upload.pause()
    upload.resume('session')
    expect(upload.state.stage).toEqual({ at: 'paused', why: 'person' })
    upload.resume()
    await run
    expect(upload.state.stage.at).toBe('done')
  })
})

describe('an upload whose page was closed', () => {
  interface Break {
    /** Whether a piece never arrives: by its offset, and by how many were sent before. */
    hangs: (offset: number, sent: number) => boolean
    /** So many are sent until it stands still. */
    until: number
  }
  const afterPieces = (count: number): Break => ({ hangs: (_, sent) => sent >= count, until: count + 6 })

  /** Breaks off, and says what is left of it. */
  async function brokenOff({ hangs, until }: Break, given: Parameters<typeof setUp>[0] = {}) {
    const first = setUp({ pieces: 12, ...given })
    let count = 0
    first.plane.intercept((call, { body }) => {
      if (call === callOf.sendFile && hangs(Number(body?.['offset']), count++))
        return new Promise(() => undefined)
    })
    void first.upload.run(details)
    await vi.waitFor(() => expect(count).toBe(until))
    await new Promise((resolve) => setTimeout(resolve))
    const [disk] = first.plane.things.disks
    first.plane.intercept(() => undefined)
    first.plane.calls.length = 0
    // The browser releases them when a page goes.
    first.locks.clear()
    return { ...first, wish: { ...first.wish, adopt: disk as unknown as Disk } }
  }
  const sentBy = ({ calls }: ReturnType<typeof testPlane>) =>
    calls.filter((call) => call === callOf.sendFile).length

  it('goes on from where it was with the same file', async () => {
    const { plane, at, wish, bytes } = await brokenOff(afterPieces(5))
    const next = new Upload(at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).not.toContain('POST /v1/disks')
    // Eleven pieces have content; five of them had arrived, the sixth was zeros.
    expect(sentBy(plane)).toBe(6)
    same(imageOf(plane, bytes.length), bytes)
  })

  it('loses nothing of the last moment when the page has time to say that it goes', async () => {
    const { plane, records, at, wish, upload } = await brokenOff(afterPieces(5), { now: () => 0 })
    expect([...records.values()]).toMatchObject([{ bytes: 0 }])
    upload.keep()
    await new Upload(at, wish).run(details)
    expect(sentBy(plane)).toBe(6)
    upload.keep()
    await upload.discard()
    upload.keep()
    expect(records.size).toBe(0)
  })

  it.each([
    ['', () => undefined],
    [', even if the connection is lost while the first one is removed', lostConnection],
  ])('begins anew on another disk if the file is not what was sent%s', async (_, trouble) => {
    const { plane, records, locks, wish } = await brokenOff(afterPieces(5))
    const other = setUp({ plane, records, locks, bytes: content(12).fill(9, 0, 512) })
    let isFirst = true
    plane.intercept((call) => {
      const error = call === 'DELETE /v1/disks/{disk}' && isFirst ? trouble() : undefined
      isFirst &&= !error
      if (error) throw error
    })
    const next = new Upload(other.at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).toContain('POST /v1/disks')
    same(imageOf(plane, other.bytes.length), other.bytes)
    expect(isLeft(plane)).toEqual([])
    expect(locks.size).toBe(0)
  })

  it('leaves such a disk to who takes it up before it is removed', async () => {
    const { plane, records, locks, wish } = await brokenOff(afterPieces(5))
    const other = setUp({ plane, records, locks, bytes: content(12).fill(9, 0, 512) })
    failing(plane, callOf.stopImport, lostConnection, 1)
    other.at.wait = () => Promise.resolve(void locks.add(wish.adopt.name))
    const next = new Upload(other.at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    same(imageOf(plane, other.bytes.length), other.bytes)
    expect(isLeft(plane)).toEqual([wish.adopt.name])
  })

  it('sends all of it, into a new disk, where it is not known how far it got', async () => {
    const { plane, records, locks, at, wish, bytes } = await brokenOff(afterPieces(5))
    records.clear()
    const next = new Upload(at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).toContain('POST /v1/disks')
    expect(sentBy(plane)).toBe(11)
    same(imageOf(plane, bytes.length), bytes)
    // Somebody in another browser may be at it.
    expect(isLeft(plane)).toEqual([wish.adopt.name])
    expect(locks.size).toBe(0)
  })

  it.each(Array.from({ length: 12 }, (_, i) => i + 1))(
    'lets nothing of an earlier file show through behind the mark (%i)',
    async (seed) => {
      const random = randomFrom(seed)
      const pieces = (bytes: Uint8Array, from: number) => {
        for (let at = from; at < bytes.length; at += chunk)
          bytes.fill(random(3) === 0 ? 0 : 1 + random(255), at, at + chunk)
        return bytes
      }
      const earlier = pieces(new Uint8Array(11 * chunk + 1024), 0)
      const gap = random(12) * chunk
      earlier.fill(7, gap, gap + chunk)
      const until = Array.from({ length: 12 }, (_, i) => earlier[i * chunk]).filter(Boolean).length
      const first = await brokenOff({ hangs: (offset) => offset === gap, until }, { bytes: earlier })
      expect([...first.records.values()]).toMatchObject([{ bytes: gap }])
      const later = setUp({ ...first, bytes: pieces(earlier.slice(), gap) })
      await new Upload(later.at, first.wish).run(details)
      expect(later.plane.calls).not.toContain('POST /v1/disks')
      same(imageOf(later.plane, later.bytes.length), later.bytes)
    },
  )

  it('does not forget how far pieces may have landed when it is broken off once more', async () => {
    const { plane, records, at, wish } = await brokenOff(afterPieces(5))
    const kept = { ...(records.get(wish.adopt.id) ?? { bytes: 0, sum: 0 }), reach: 512 * MiB }
    records.set(wish.adopt.id, kept)
    plane.intercept((call) => (call === callOf.sendFile ? new Promise(() => undefined) : undefined))
    const next = new Upload(at, wish)
    void next.run(details)
    await vi.waitFor(() => expect(sentBy(plane)).toBe(6))
    next.keep()
    expect(records.get(wish.adopt.id)).toEqual(kept)
  })

  it('sends zeros only as far as something else may be there', async () => {
    const { plane, records, locks, wish } = await brokenOff(afterPieces(1))
    const bytes = content(12).fill(0, chunk)
    const mark = after(nothing, pieceOf(bytes.subarray(0, chunk), 'none'))
    records.set(wish.adopt.id, { ...mark, reach: 3 * chunk + 1 })
    const offsets: unknown[] = []
    plane.intercept((call, { body }) => void (call === callOf.sendFile && offsets.push(body?.['offset'])))
    await new Upload(setUp({ plane, records, locks, bytes }).at, wish).run(details)
    expect(offsets).toEqual([chunk, 2 * chunk, 3 * chunk])
    same(imageOf(plane, bytes.length), bytes)
  })
})

it('a record says how far pieces may have landed before they are sent, and is seldom kept for that', async () => {
  const { plane, records, at, wish, reader } = setUp({ now: () => 0 })
  reader.read = (_, length) => Promise.resolve({ length, sum: 1, base64: 'AQ==' })
  const reaches = new Set<number>()
  const keep = vi.spyOn(at.records, 'keep')
  plane.intercept((call, { body }) => {
    if (call !== callOf.sendFile) return
    const [{ reach } = { reach: 0 }] = records.values()
    expect(reach).toBeGreaterThanOrEqual(Number(body?.['offset']) + chunk)
    reaches.add(reach)
  })
  const upload = new Upload(at, { ...wish, file: { ...wish.file, size: 70 * MiB } })
  await upload.run(details)
  expect(upload.state.stage.at).toBe('done')
  expect([...reaches]).toEqual([chunk + 64 * MiB, 2 * chunk + 128 * MiB])
  // Besides that when the disk is there, once the file is sent, and when all is over.
  expect(keep).toHaveBeenCalledTimes(5)
})

describe('the lock of its disk', () => {
  it('is held before there is a disk and until there is none', async () => {
    const { plane, locks, upload } = setUp()
    plane.intercept(() => expect([...locks]).toEqual([upload.diskName]))
    await upload.run(details)
    expect(upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(locks.size).toBe(0)
  })

  it.each(everyStep)('is held after a failure in step %s, until that is given up', async (_, call) => {
    const { plane, locks, upload } = setUp()
    failing(plane, call, serverError)
    await upload.run(details)
    expect([...locks]).toEqual([upload.diskName])
    plane.intercept(() => undefined)
    await upload.discard()
    expect(locks.size).toBe(0)
  })

  /** An upload that is going on elsewhere, and a wish to go on with it. */
  async function goingOn() {
    const first = setUp()
    const held = Promise.withResolvers<void>()
    first.plane.intercept((call) => (call === callOf.sendFile ? held.promise : undefined))
    const run = first.upload.run(details)
    await vi.waitFor(() => expect(first.plane.calls).toContain(callOf.sendFile))
    const [disk] = first.plane.things.disks
    const finish = async () => {
      held.resolve()
      await run
      expect(first.upload.state.stage).toEqual({ at: 'done', leftovers: [] })
    }
    return { ...first, finish, wish: { ...first.wish, adopt: disk as unknown as Disk } }
  }

  it('keeps others from taking the disk up', async () => {
    const { plane, records, locks, wish, bytes, finish } = await goingOn()
    const second = setUp({ plane, records, locks, bytes: content(4).fill(3, 0, 512) })
    const other = new Upload(second.at, wish)
    const run = other.run({ ...details, name: 'web-2' })
    await vi.waitFor(() => expect(plane.things.disks).toHaveLength(2))
    await finish()
    await run
    expect(other.state.stage).toEqual({ at: 'done', leftovers: [] })
    same(imageOf(plane, bytes.length), bytes)
    same(imageOf(plane, bytes.length, 'web-2'), second.bytes)
    expect(isLeft(plane)).toEqual([])
    expect([locks.size, records.size]).toEqual([0, 0])
  })

  it.each(everyStep)('keeps it from those who give up in step %s', async (_, call) => {
    const { plane, at, wish, finish, locks } = await goingOn()
    const other = new Upload(at, wish)
    let gaveUp: Promise<void> | undefined
    plane.intercept((name) => {
      if (name === call) gaveUp ??= other.discard()
    })
    await other.run({ ...details, name: 'web-2' })
    await gaveUp
    expect(isLeft(plane)).toEqual([wish.adopt.name])
    expect([...locks]).toEqual([wish.adopt.name])
    await finish()
  })

  it('goes to who takes up what was left over, which then is no longer removed', async () => {
    const { plane, records, locks, at, wish, upload, bytes } = setUp({ now: () => 0 })
    failing(plane, callOf.stopImport, serverError)
    await upload.run(details)
    await upload.discard()
    expect(upload.state.stage).toMatchObject({ at: 'over', leftovers: [{ name: upload.diskName }] })
    plane.intercept(() => undefined)
    const [disk] = plane.things.disks
    const next = new Upload(at, { ...wish, adopt: disk as unknown as Disk })
    let tidied: Promise<void> | undefined
    plane.intercept((call) => void (call === callOf.stopImport && (tidied ??= upload.tidy())))
    await next.run(details)
    await tidied
    expect(upload.state.stage).toEqual({ at: 'over', leftovers: [] })
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls.filter((call) => call === 'POST /v1/disks')).toHaveLength(1)
    same(imageOf(plane, bytes.length), bytes)
    expect([locks.size, records.size]).toEqual([0, 0])
  })
})
