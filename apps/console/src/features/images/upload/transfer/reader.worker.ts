/** Reads chunks of one file in a worker and sums them, so that the page stays responsive. */
import { chunkOf, type FileChunk, type ReadRequest, type ReadResponse } from './chunk.ts'

let file: Blob | undefined

async function read({ offset, length, content }: ReadRequest): Promise<FileChunk> {
  if (!file) throw new Error('no file was given')
  const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
  if (bytes.length !== length) throw new Error('the file has become shorter')
  return chunkOf(bytes, content)
}

globalThis.addEventListener('message', ({ data }: MessageEvent<Blob | ReadRequest>) => {
  if (data instanceof Blob) {
    file = data
    return
  }
  const { id } = data
  const respond = (response: ReadResponse, transfer: Transferable[] = []) =>
    globalThis.postMessage(response, { transfer })
  read(data).then(
    (chunk) => respond({ id, chunk }, chunk.bytes ? [chunk.bytes.buffer] : []),
    (error: unknown) => respond({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
})
