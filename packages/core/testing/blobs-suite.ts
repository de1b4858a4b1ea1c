/** The test suite of every store of disk bytes. */
import { randomUUID } from 'node:crypto'
import fc from './properties.ts'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { BytesMissing, type Blobs, type Layer } from '#/ports.ts'

const KiB = 1024
const GiB = 2 ** 30

export interface BlobsHarness {
  blobs: Blobs
  close(): Promise<void>
}

const bytes = (length: number, value: number) => new Uint8Array(length).fill(value)
const id = () => randomUUID()
/** Layers of which it is not known whether they were written. */
const of = (...ids: string[]): Layer[] => ids.map((one) => ({ id: one, hasBytes: false }))
/** Layers that were written. */
const written = (...ids: string[]): Layer[] => ids.map((one) => ({ id: one, hasBytes: true }))
// Vitest compares large arrays one number after the other.
const same = (a: Uint8Array, b: Uint8Array) => expect(Buffer.compare(a, b)).toBe(0)

/** Runs the suite; `open` makes an empty store. */
export function blobsSuite(name: string, open: () => Promise<BlobsHarness>): void {
  describe(`${name}: blobs`, () => {
    let harness: BlobsHarness
    let blobs: Blobs
    beforeEach(async () => {
      harness = await open()
      ;({ blobs } = harness)
    })
    afterEach(() => harness.close())

    it('unwritten ranges read as zeros, at any offset', async () => {
      same(await blobs.read(of(), 0, 512), bytes(512, 0))
      same(await blobs.read(of(id(), id()), 1000 * GiB, 70 * KiB), bytes(70 * KiB, 0))
      const a = id()
      await blobs.write(of(a), 512, bytes(512, 7))
      same(await blobs.read(of(a), 0, 512), bytes(512, 0))
      same(await blobs.read(of(a), 1024, 256 * KiB), bytes(256 * KiB, 0))
    })

    it('written bytes read back, across extents and at large offsets', async () => {
      const a = id()
      const data = Uint8Array.from({ length: 600 * KiB }, (_, i) => (i * 7 + (i >> 9)) % 251)
      await blobs.write(of(a), 1000 * GiB + 512, data)
      same(await blobs.read(of(a), 1000 * GiB + 512, data.length), data)
      same(await blobs.read(of(a), 1000 * GiB + 512 + 100_000, 300_000), data.subarray(100_000, 400_000))
    })

    it('the last write of a range counts, and writing twice is writing once', async () => {
      const a = id()
      await blobs.write(of(a), 0, bytes(128 * KiB, 1))
      for (let i = 0; i < 2; i++) await blobs.write(of(a), 64 * KiB, bytes(512, 2))
      expect((await blobs.read(of(a), 64 * KiB, 513)).at(-1)).toBe(1)
      same(await blobs.read(of(a), 64 * KiB, 512), bytes(512, 2))
      await blobs.write(of(a), 0, bytes(128 * KiB, 0))
      same(await blobs.read(of(a), 0, 128 * KiB), bytes(128 * KiB, 0))
    })

    it('writes at the same time are all stored', async () => {
      const [a, b] = [id(), id()]
      await blobs.write(of(b), 0, bytes(256 * KiB, 9))
      for (const chain of [of(a), of(id(), b)]) {
        const at = Array.from({ length: 200 }, (_, i) => i * 1024)
        await Promise.all(at.map((offset, i) => blobs.write(chain, offset, bytes(512, i + 1))))
        for (const [i, offset] of at.entries())
          expect((await blobs.read(chain, offset, 512)).every((byte) => byte === i + 1)).toBe(true)
        expect((await blobs.read(chain, 512, 1))[0]).toBe(chain.length > 1 ? 9 : 0)
      }
    })

    it('each byte comes from the newest layer that has it; zeros hide the layers below', async () => {
      const [a, b, c] = [id(), id(), id()]
      await blobs.write(of(a), 0, bytes(256 * KiB, 1))
      await blobs.write(of(b, a), 64 * KiB, bytes(64 * KiB, 2))
      await blobs.write(of(c, b, a), 128 * KiB, bytes(64 * KiB, 0))
      const seen = await blobs.read(of(c, b, a), 0, 320 * KiB)
      expect([0, 1, 2, 3, 4].map((i) => seen[i * 64 * KiB])).toEqual([1, 2, 0, 1, 0])
    })

    it('writing on top does not change the layers below', async () => {
      const [a, b] = [id(), id()]
      await blobs.write(of(a), 0, bytes(200 * KiB, 1))
      await blobs.write(of(b, a), 1024, bytes(512, 2))
      same(await blobs.read(of(a), 0, 200 * KiB), bytes(200 * KiB, 1))
      const seen = await blobs.read(of(b, a), 0, 2048)
      expect([seen[1023], seen[1024], seen[1535], seen[1536]]).toEqual([1, 2, 2, 1])
    })

    it('removing frees the room; removing twice is removing once', async () => {
      const [a, b] = [id(), id()]
      await blobs.write(of(a), 0, bytes(128 * KiB, 1))
      await blobs.write(of(b), 0, bytes(128 * KiB, 1))
      expect((await blobs.list()).toSorted()).toEqual([a, b].toSorted())
      expect(await blobs.used(a)).toBeGreaterThanOrEqual(128 * KiB)
      for (let i = 0; i < 2; i++) await blobs.remove(a)
      expect(await blobs.list()).toEqual([b])
      expect(await blobs.used(a)).toBe(0)
      same(await blobs.read(of(a), 0, 512), bytes(512, 0))
    })

    it('bytes that a layer had and that are missing are an error, and no zeros', async () => {
      const [a, b, c] = [id(), id(), id()]
      await blobs.write(of(a), 0, bytes(128 * KiB, 1))
      // Zeros too: a written range exists, whatever its bytes.
      await blobs.write([...of(b), ...written(a)], 0, bytes(512, 0))
      await blobs.write([...of(c), ...written(b, a)], 64 * KiB, bytes(512, 3))
      expect(await blobs.missing(written(c, b, a))).toEqual([])
      same(await blobs.read(written(c, b, a), 0, 512), bytes(512, 0))
      await blobs.remove(b)
      expect(await blobs.missing(written(c, b, a))).toEqual([b])
      expect(await blobs.missing([...written(c), ...of(b), ...written(a)])).toEqual([])
      for (const chain of [written(c, b, a), written(b, a), written(b)]) {
        await expect(blobs.read(chain, 0, 512)).rejects.toBeInstanceOf(BytesMissing)
        await expect(blobs.write(chain, 512, bytes(256 * KiB, 4))).rejects.toBeInstanceOf(BytesMissing)
      }
      expect((await blobs.list()).toSorted()).toEqual([a, c].toSorted())
    })

    it('a layer that is put aside is no longer readable, and putting aside twice is harmless', async () => {
      const [a, b] = [id(), id()]
      for (const one of [a, b]) await blobs.write(of(one), 0, bytes(512, 1))
      for (let i = 0; i < 2; i++) await blobs.putAside(a, Date.UTC(2026, 0, 2))
      expect(await blobs.list()).toEqual([b])
      expect(await blobs.missing(written(a, b))).toEqual([a])
      await blobs.dropAside(Date.UTC(2027, 0, 1))
      expect(await blobs.list()).toEqual([b])
      same(await blobs.read(written(b), 0, 512), bytes(512, 1))
    })

    it('zeros and gaps take no room', async () => {
      const a = id()
      await blobs.write(of(a), 0, bytes(512 * KiB, 0))
      expect(await blobs.used(a)).toBe(0)
      await blobs.write(of(a, id()), 0, bytes(512 * KiB, 0))
      expect(await blobs.used(a)).toBe(0)
      await blobs.write(of(a), 100 * GiB, bytes(4096, 1))
      expect(await blobs.used(a)).toBeLessThan(1024 * KiB)
    })

    it('flushing is harmless, also without any write', async () => {
      const a = id()
      await blobs.flush(a)
      await blobs.write(of(a), 0, bytes(512, 1))
      await blobs.flush(a)
      same(await blobs.read(of(a), 0, 512), bytes(512, 1))
      await blobs.write(of(a), 0, new Uint8Array(0))
    })

    it('after any writes any chain reads like a plain array', async () => {
      const size = 320 * KiB
      const write = fc.record({
        layer: fc.nat(2),
        offset: fc.nat(size / 512 - 1).map((block) => block * 512),
        blocks: fc.integer({ min: 1, max: 300 }),
        value: fc.nat(3),
      })
      const property = fc.asyncProperty(fc.array(write, { maxLength: 12 }), async (writes) => {
        const chain = [id(), id(), id()]
        const model = new Uint8Array(size)
        // The parent first: a layer is never written once another one is based on it.
        for (const { layer, offset, blocks, value } of writes.toSorted((x, y) => y.layer - x.layer)) {
          const length = Math.min(blocks * 512, size - offset)
          await blobs.write(of(...chain.slice(layer)), offset, bytes(length, value))
          model.fill(value, offset, offset + length)
        }
        same(await blobs.read(of(...chain), 0, size), model)
        for (const layer of chain) await blobs.remove(layer)
      })
      await fc.assert(property, { numRuns: 40 })
    })
  })
}
