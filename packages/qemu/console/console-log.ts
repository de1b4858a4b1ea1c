/** The output of a serial console, which QEMU writes to a file: offsets in the file are those of the port. */
import { execFile } from 'node:child_process'
import { open, stat } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { ConsoleChunk } from '@purlin/core/ports'

/** The first and the latest bytes are kept. */
const kept = 1024 * 1024
/** The middle is given back to the disk in parts of this many bytes. */
const dropStep = 4 * kept
const mostRead = 64 * 1024
const run = promisify(execFile)
const nothing = new Uint8Array(0)

/** Bytes written so far. */
export const lengthOf = async (path: string): Promise<number> =>
  (await stat(path).catch(() => undefined))?.size ?? 0

/** The offset of the first byte after the dropped middle. */
const tailStart = (total: number): number => Math.max(kept, total - kept)

/** The offset itself, or the first one after the middle if it is dropped. */
export const skipDropped = (offset: number, total: number): number =>
  offset >= kept && offset < tailStart(total) ? tailStart(total) : offset

/** The offset of the last `last` bytes. A beginning in the dropped middle moves to the latest part. */
export function startOfLast(last: number, total: number): number {
  const start = Math.max(0, total - Math.max(0, last))
  if (start === 0) return 0
  return total > 2 * kept ? Math.max(start, tailStart(total)) : start
}

/** At most 64 KiB from an offset, which end at the dropped middle. */
export async function readLog(path: string, from: number, max = mostRead): Promise<Uint8Array> {
  const total = await lengthOf(path)
  const hasGap = from < kept && tailStart(total) > kept
  const end = Math.min(hasGap ? kept : total, from + max)
  if (end <= from) return nothing
  const bytes = new Uint8Array(end - from)
  const file = await open(path, 'r')
  try {
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    return bytes.subarray(0, bytesRead)
  } finally {
    await file.close()
  }
}

/** Reads a range as the port says. */
export async function readRange(
  path: string,
  range: { from: number; max: number } | { last: number; max: number },
): Promise<ConsoleChunk | 'dropped'> {
  const total = await lengthOf(path)
  const from = 'from' in range ? Math.max(0, range.from) : startOfLast(range.last, total)
  if (from >= total) return { data: nothing, end: total }
  if (skipDropped(from, total) !== from) return 'dropped'
  const data = await readLog(path, from, Math.max(0, range.max))
  return { data, end: from + data.length }
}

/** Frees the room of the middle of a log, once it is large. Throws once if the file system cannot do so. */
export function createLogTrimmer(path: string): () => Promise<void> {
  let freed = kept
  let hasFailed = false
  return async () => {
    const end = tailStart(await lengthOf(path))
    // A log that is shorter than what was freed is a new one.
    const from = freed > end ? kept : freed
    if (end - from < dropStep) return
    try {
      await run('fallocate', ['--punch-hole', '--offset', `${from}`, '--length', `${end - from}`, path])
      freed = end
    } catch (error) {
      if (hasFailed) return
      hasFailed = true
      throw error
    }
  }
}
