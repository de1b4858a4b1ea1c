import { fromBase64, toBase64 } from '@purlin/contract/wire'
import { KiB } from '@purlin/contract/rules/limits'
import { describe, expect, it, vi } from 'vitest'
import { ApiError } from '../../../../../../send.ts'
import type { Details } from './calls.ts'
import { sumOf } from './pieces.ts'
import { FileUnreadable } from './reader.ts'
import { stepIndex, type StepKey } from './state.ts'
import { lostConnection, serverError, testPlane } from './testPlane.ts'
import { nothing, type Mark } from './tracker.ts'
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
  marks = new Map<string, Mark>(),
  now = () => performance.now() * 1e6,
} = {}) {
  const waits: number[] = []
  const read: Surroundings['reader']['read'] = (offset, length, encode) => {
    const part = bytes.subarray(offset, offset + length)
    const { sum, isZero } = sumOf(part)
    return Promise.resolve({ length: part.length, sum, base64: encode && !isZero ? toBase64(part) : null })
  }
  const reader = { read, close: () => undefined }
  const at: Surroundings = {
    ...plane.post,
    reader,
    records: {
      readMark: (id) => marks.get(id) ?? nothing,
      keepMark: (id, mark) => void (mark ? marks.set(id, mark) : marks.delete(id)),
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
  return { plane, marks, waits, reader, bytes, at, wish, upload: new Upload(at, wish) }
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

/** Fails a call the first `times` times. */
function failing(plane: ReturnType<typeof testPlane>, call: string, error: () => Error, times = Infinity) {
  let left = times
  plane.intercept((name) => {
    if (name === call && left-- > 0) throw error()
  })
}
function written(plane: ReturnType<typeof testPlane>, length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  for (const [offset, base64] of plane.written) bytes.set(fromBase64(base64), offset)
  return bytes
}
// Vitest compares large arrays one number after the other.
const same = (a: Uint8Array, b: Uint8Array) => expect(a.every((byte, i) => byte === b[i])).toBe(true)

describe('an upload', () => {
  it('makes an image of the whole file, sends no zeros, and leaves nothing else', async () => {
    const { plane, upload, bytes, marks } = setUp({ pieces: 9 })
    await upload.run(details)
    expect(upload.state).toMatchObject({ stage: { at: 'done', leftovers: [] }, step: 7, done: bytes.length })
    expect(plane.things.images).toMatchObject([details])
    same(written(plane, bytes.length), bytes)
    expect(plane.written.has(chunk)).toBe(false)
    expect(isLeft(plane)).toEqual([])
    expect(marks.size).toBe(0)
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
    same(written(plane, bytes.length), bytes)
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
    same(written(plane, bytes.length), bytes)
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
  /** Breaks off after `sent` pieces, and says what is left of it. */
  async function brokenOff(sent: number, given: Parameters<typeof setUp>[0] = {}) {
    const first = setUp({ pieces: 12, ...given })
    let count = 0
    first.plane.intercept((call) => {
      if (call === callOf.sendFile && ++count > sent) return new Promise(() => undefined)
    })
    void first.upload.run(details)
    await vi.waitFor(() => expect(count).toBe(sent + 6))
    const [disk] = first.plane.things.disks
    first.plane.intercept(() => undefined)
    first.plane.calls.length = 0
    return { ...first, wish: { ...first.wish, adopt: disk as unknown as Wish['adopt'] } }
  }

  it('goes on from where it was with the same file', async () => {
    const { plane, at, wish, bytes } = await brokenOff(5)
    const next = new Upload(at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).not.toContain('POST /v1/disks')
    // Eleven pieces have content; five of them had arrived, the sixth was zeros.
    expect(plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(6)
    same(written(plane, bytes.length), bytes)
  })

  it('loses nothing of the last moment when the page has time to say that it goes', async () => {
    const { plane, marks, at, wish, upload } = await brokenOff(5, { now: () => 0 })
    expect(marks.size).toBe(0)
    upload.keep()
    await new Upload(at, wish).run(details)
    expect(plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(6)
    upload.keep()
    await upload.discard()
    upload.keep()
    expect(marks.size).toBe(0)
  })

  it('begins anew on another disk if the file is not what was sent', async () => {
    const { plane, marks, wish } = await brokenOff(5)
    const other = setUp({ plane, marks, bytes: content(12).fill(9, 0, 512) })
    plane.written.clear()
    const next = new Upload(other.at, wish)
    await next.run(details)
    expect(next.state.stage).toEqual({ at: 'done', leftovers: [] })
    expect(plane.calls).toContain('POST /v1/disks')
    same(written(plane, other.bytes.length), other.bytes)
    expect(isLeft(plane)).toEqual([])
  })

  it('sends all of it where it is not known how far it got', async () => {
    const { plane, marks, at, wish, bytes } = await brokenOff(5)
    marks.clear()
    const next = new Upload(at, wish)
    await next.run(details)
    expect(plane.calls).not.toContain('POST /v1/disks')
    expect(plane.calls.filter((call) => call === callOf.sendFile)).toHaveLength(11)
    same(written(plane, bytes.length), bytes)
  })
})
