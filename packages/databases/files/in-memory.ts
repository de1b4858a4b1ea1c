/** Zip files in memory, such as those of updates: for the preview and for tests. */
import { BytesMissing, StorageFull, type StoredFiles } from '@purlin/core/ports'

const MiB = 1024 * 1024

/** Makes an empty store. */
export function createMemoryFiles(most = 64 * MiB): StoredFiles {
  const files = new Map<string, Uint8Array<ArrayBuffer>>()
  const room = 2 * most
  const usedBy = (which: (id: string) => boolean) =>
    [...files].filter(([id]) => which(id)).reduce((sum, [, file]) => sum + file.length, 0)
  return {
    most,
    async write(id, offset, bytes) {
      const known = files.get(id) ?? new Uint8Array(0)
      const others = usedBy((other) => other !== id)
      const length = offset + bytes.length
      if (others + length > room) throw new StorageFull('the memory for files is in use')
      const file = new Uint8Array(Math.max(known.length, length))
      file.set(known)
      file.set(bytes, offset)
      files.set(id, file)
    },
    flush: async () => undefined,
    async read(id, offset, length) {
      const file = files.get(id)
      if (!file) throw new BytesMissing([id])
      return file.slice(offset, offset + length)
    },
    remove: async (id) => void files.delete(id),
    list: async () => [...files.keys()],
    free: async () => room - usedBy(() => true),
  }
}
