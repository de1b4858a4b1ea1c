/** The page's side of the worker that reads a file. */
import type { Answered, Asked, Encoding, Piece } from './pieces.ts'

/** The file cannot be read any more: it was moved, changed, or its disk was taken away. */
export class FileUnreadable extends Error {
  override name = 'FileUnreadable'
}

export interface PieceReader {
  /** Rejects with FileUnreadable. */
  read(offset: number, length: number, encode: Encoding): Promise<Piece>
  close(): void
}

export function openFile(file: File): PieceReader {
  const worker = new Worker(new URL('./reader.worker.ts', import.meta.url), { type: 'module' })
  const waiting = new Map<number, PromiseWithResolvers<Piece>>()
  let asked = 0
  const failAll = (reason: string) => {
    for (const one of waiting.values()) one.reject(new FileUnreadable(reason))
    waiting.clear()
  }
  worker.addEventListener('message', ({ data }: MessageEvent<Answered>) => {
    const one = waiting.get(data.id)
    waiting.delete(data.id)
    if ('piece' in data) one?.resolve(data.piece)
    else one?.reject(new FileUnreadable(data.failure))
  })
  worker.addEventListener('error', (event) => failAll(event.message))
  worker.postMessage(file, [])
  return {
    read(offset, length, encode) {
      const id = asked++
      const one = Promise.withResolvers<Piece>()
      waiting.set(id, one)
      worker.postMessage({ id, offset, length, encode } satisfies Asked, [])
      return one.promise
    },
    close: () => {
      worker.terminate()
      failAll('the file was closed')
    },
  }
}
