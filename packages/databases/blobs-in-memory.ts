/** Bytes of disks in memory: for the preview and for tests. */
import { BytesMissing, yieldToEventLoop, type Blobs, type Layer } from '@purlin/core/ports'

const extent = 64 * 1024
// Empty ranges share these bytes, because callers never modify the bytes that they read.
const zeros = new Uint8Array(1024 * 1024)

type Extents = Map<number, Uint8Array>

/** Makes an empty store. */
export function createMemoryBlobs(): Blobs {
  const layers = new Map<string, Extents>()
  const find = (chain: readonly Layer[], index: number): Uint8Array | undefined => {
    for (const { id } of chain) {
      const stored = layers.get(id)?.get(index)
      if (stored) return stored
    }
    return undefined
  }
  const layerOf = (id: string): Extents => {
    const known = layers.get(id)
    if (known) return known
    const made: Extents = new Map()
    layers.set(id, made)
    return made
  }
  const missing = (chain: readonly Layer[]) =>
    chain.flatMap(({ id, hasBytes }) => (hasBytes && !layers.has(id) ? id : []))
  const requireAll = (chain: readonly Layer[]) => {
    const ids = missing(chain)
    if (ids.length > 0) throw new BytesMissing(ids)
  }
  return {
    async write(chain, offset, bytes) {
      const [top] = chain
      if (!top || bytes.length === 0) return
      requireAll(chain)
      const layer = layerOf(top.id)
      for (const { index, from, to, at } of extentsOf(offset, bytes.length)) {
        const part = bytes.subarray(at, at + to - from)
        const stored = find(chain, index)
        if (!stored && part.every((byte) => byte === 0)) continue
        const own = layer.get(index) ?? Uint8Array.from(stored ?? new Uint8Array(extent))
        own.set(part, from)
        layer.set(index, own)
      }
    },
    async read(chain, offset, length) {
      await yieldToEventLoop()
      requireAll(chain)
      const stored = [...extentsOf(offset, length)].map((part) => ({
        ...part,
        bytes: find(chain, part.index),
      }))
      if (length <= zeros.length && stored.every(({ bytes }) => !bytes)) return zeros.subarray(0, length)
      const out = new Uint8Array(length)
      for (const { bytes, from, to, at } of stored) if (bytes) out.set(bytes.subarray(from, to), at)
      return out
    },
    missing: async (chain) => missing(chain),
    flush: async () => undefined,
    remove: async (layer) => void layers.delete(layer),
    // No other process has these bytes.
    putAside: async (layer) => void layers.delete(layer),
    dropAside: async () => undefined,
    list: async () => [...layers.keys()],
    used: async (layer) => (layers.get(layer)?.size ?? 0) * extent,
  }
}

/** The extents of a range: which part of each, and its offset in the range. */
function* extentsOf(offset: number, length: number) {
  for (let at = 0; at < length;) {
    const index = Math.floor((offset + at) / extent)
    const from = offset + at - index * extent
    const to = Math.min(extent, from + length - at)
    yield { index, from, to, at }
    at += to - from
  }
}
