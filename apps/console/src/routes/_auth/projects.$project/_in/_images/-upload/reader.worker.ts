/** Reads and encodes pieces of one file beside the page, which stays free for the person. */
import { pieceOf, type Answered, type Asked, type Piece } from './pieces.ts'

let file: Blob | undefined

async function read({ offset, length, encode }: Asked): Promise<Piece> {
  if (!file) throw new Error('no file was given')
  const bytes = new Uint8Array(await file.slice(offset, offset + length).arrayBuffer())
  if (bytes.length !== length) throw new Error('the file has become shorter')
  return pieceOf(bytes, encode)
}

globalThis.addEventListener('message', ({ data }: MessageEvent<Blob | Asked>) => {
  if (data instanceof Blob) {
    file = data
    return
  }
  const { id } = data
  const answer = (answered: Answered) => globalThis.postMessage(answered, { transfer: [] })
  read(data).then(
    (piece) => answer({ id, piece }),
    (error: unknown) => answer({ id, failure: error instanceof Error ? error.message : String(error) }),
  )
})
