/** The page's side of the worker that reads a file. */
import type { Content, FileChunk, ReadRequest, ReadResponse } from './chunk.ts'

/** The file can no longer be read: it was moved or changed, or its drive was removed. */
export class FileUnreadable extends Error {
  override name = 'FileUnreadable'
}

export interface ChunkReader {
  /** Rejects with FileUnreadable. */
  read(offset: number, length: number, content: Content): Promise<FileChunk>
  close(): void
}

export function openFile(file: File): ChunkReader {
  const worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, PromiseWithResolvers<FileChunk>>()
  let nextId = 0
  const failAll = (reason: string) => {
    for (const one of waiting.values()) one.reject(new FileUnreadable(reason))
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<ReadResponse>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if ('chunk' in data) one?.resolve(data.chunk)
    else one?.reject(new FileUnreadable(data.failure))
  })
  worker.addEventListener('error', (event) => failAll(event.message))
  worker.postMessage(file, [])
  return {
    read(offset, length, content) {
      const id = nextId++
      const one = Promise.withResolvers<FileChunk>()
      waiting.set(id, one)
      worker.postMessage({ id, offset, length, content } satisfies ReadRequest, [])
      return one.promise
    },
    close: () => {
      worker.terminate()
      failAll('the file was closed')
    },
  }
}
