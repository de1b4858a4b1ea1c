/** Reads the kept output of a serial console piece by piece. */

/** Bytes of output, and the offset after the last of them. */
export interface LogPiece {
  data: readonly number[]
  lastByteOffset: number
}
/** Reads from an offset, or the last bytes. */
export type ReadPiece = (range: { fromStart: number } | { mostRecent: number }) => Promise<LogPiece>

/** All output of a boot that the server still has. */
export interface ConsoleLog {
  parts: Uint8Array<ArrayBuffer>[]
  /** bytes between the first and the latest part, which the server has dropped */
  dropped: number
}

/**
 * Reads up to the end that the output has now, so that a machine that writes all the time is no endless download.
 * `isDropped` recognizes the refusal of an offset that the server no longer has. Throws what `read` throws.
 */
export async function readLog(read: ReadPiece, isDropped: (error: unknown) => boolean): Promise<ConsoleLog> {
  const { lastByteOffset: total } = await read({ mostRecent: 0 })
  const log: ConsoleLog = { parts: [], dropped: 0 }
  let at = 0
  const next = () =>
    read({ fromStart: at }).catch((error: unknown) => {
      if (!isDropped(error)) throw error
      // The latest bytes begin with the oldest one that is kept after the gap.
      return read({ mostRecent: Math.max(1, total - at) })
    })
  while (at < total) {
    const { data, lastByteOffset } = await next()
    if (data.length === 0) break
    log.dropped += lastByteOffset - data.length - at
    log.parts.push(markGap(lastByteOffset - data.length - at), Uint8Array.from(data))
    at = lastByteOffset
  }
  return { ...log, parts: log.parts.filter((part) => part.length > 0) }
}

/** The line of the file where output is missing. */
const markGap = (bytes: number): Uint8Array<ArrayBuffer> =>
  new TextEncoder().encode(bytes > 0 ? `\r\n[${bytes} bytes of output are not kept by the server]\r\n` : '')
