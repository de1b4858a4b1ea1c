/** The newest lines of the log, for support bundles. */

/** Bytes that are dropped at once. */
const block = 64 * 1024

export interface LogRing {
  write(line: string): void
  /** The newest lines as UTF-8, in pieces. */
  newest(): readonly Uint8Array[]
}

/** Keeps lines of this many bytes in total, and at most a block more. */
export function createLogRing(most: number): LogRing {
  const blocks: Uint8Array[] = []
  let kept = 0
  let newest = ''
  const close = () => {
    const bytes = Buffer.from(newest)
    newest = ''
    blocks.push(bytes)
    kept += bytes.length
    while (kept > most && blocks.length > 1) kept -= blocks.shift()?.length ?? 0
  }
  return {
    write(line) {
      newest += line
      if (newest.length >= block) close()
    },
    newest: () => [...blocks, Buffer.from(newest)],
  }
}
