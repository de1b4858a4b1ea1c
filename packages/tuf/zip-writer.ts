/** Makes zip files while they are read. */
import type { MadeFile } from '@purlin/core/ports'
import { ZipWriter } from '@zip.js/zip.js/lib/zip-core-writer.js'

/** The bytes of a zip with these files. A file whose content fails ends it with the same error. */
export async function* packZip(files: AsyncIterable<MadeFile>, now: number): AsyncGenerator<Uint8Array> {
  let fail: (error: unknown) => void = () => undefined
  const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>({
    start: (controller) => (fail = (error) => controller.error(error)),
  })
  const pieces = readable.getReader()
  const written = writeAll(writable, files, new Date(now)).catch(fail)
  try {
    for (;;) {
      const { done, value } = await pieces.read()
      if (done) break
      yield value
    }
  } finally {
    // Ends the writer, if the reader has had enough.
    await pieces.cancel().catch(() => undefined)
    await written
  }
}

async function writeAll(
  writable: WritableStream<Uint8Array>,
  files: AsyncIterable<MadeFile>,
  lastModDate: Date,
): Promise<void> {
  const zip = new ZipWriter(writable, { useWebWorkers: false, lastModDate, extendedTimestamp: false })
  for await (const { path, content } of files) await zip.add(path, streamOf(content))
  await zip.close()
}

/** The bytes of a file, each piece made when it is read. */
function streamOf(content: AsyncIterable<Uint8Array>): ReadableStream<Uint8Array> {
  const pieces = content[Symbol.asyncIterator]()
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { done, value } = await pieces.next()
        if (done) controller.close()
        else controller.enqueue(value)
      },
      cancel: async () => void (await pieces.return?.()),
    },
    { highWaterMark: 0 },
  )
}
